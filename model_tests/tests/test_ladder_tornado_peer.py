"""The ladder's Tornado beside tornado itself, on generated coroutine programs.

Without lists and dicts: the same results, and the same lines in the same order.  With them the results are the same,
and the same lines are printed at the same times, but in another order: the text's Future calls back at once, so a list
is there as soon as its last future is; tornado's, asyncio's since version 5, calls back in the next iteration, so a
list is there one iteration later.  That this is the whole difference is tested too: with that one iteration ours is
tornado's order again.  A program that fails is printed as it is, Python source, with what each has printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tornado import gen
from tornado.platform.asyncio import AsyncIOLoop

import impl
from impl.ladder.tornado import coroutine as ladder_gen
from impl.ladder.tornado import sums
from impl.ladder.tornado.future import Future
from impl.ladder.tornado.ioloop import IOLoop
from impl.ladder.world.simulated import SimulatedWorld
from impl.web.site import Site

from ..programs.tornado_programs import Program, program
from ..programs.tornado_runtimes import Runtime, Seen, ladder, run, tornado
from ..programs.virtual_asyncio import Hang, VirtualLoop

PROGRAMS = 500
#: In how many of the programs each of these must stand, at least.
STAND_MIN = {
    "yield moment": 150,
    "(yield f[": 150,
    "_called))": 100,
    "yield sleep": 100,
    "raise Failure": 150,
    "set_result": 200,
    "set_exception": 100,
    "later(": 100,
    "add_future(": 100,
    "add_callback(k": 100,
    "add_callback(c": 100,
    "except": 100,
    "finally": 100,
    "raise Return": 50,
    "return": 50,
}
EVENTS_MIN = 3000


def drawn(choices: impl.Choices, *, many: bool) -> Program:
    return program(choices.program, many=many)


def seeded(seed: int, *, many: bool) -> Program:
    return drawn(impl.Choices.seeded(seed), many=many)


def listed(values: list[int], *, many: bool) -> Program:
    return drawn(impl.Choices.listed({"program": values}), many=many)


def side_by_side(text: Program, ours: Seen, theirs: Seen) -> str:
    """The program, and what each has printed, the differences marked."""
    lines = [text.source, "ours, tornado's:"]
    for pair in zip_longest(ours.events, theirs.events):
        lines.append(f"{' ' if pair[0] == pair[1] else '!'} {pair[0]!s:40} {pair[1]}")
    lines += [
        f"! {name}: {result}, {theirs.results[name]}"
        for name, result in ours.results.items()
        if result != theirs.results[name]
    ]
    return "\n".join(lines)


def check_same(text: Program, new_ours: Callable[[], Runtime] = ladder) -> Seen:
    """The same results, the same order."""
    ours, theirs = run(text, new_ours), run(text, tornado)
    assert ours == theirs, side_by_side(text, ours, theirs)
    return ours


def check_same_but_for_order(text: Program) -> bool:
    """The same results, the same lines at the same times; returns whether their order differs."""
    ours, theirs = run(text, ladder), run(text, tornado)
    assert ours.results == theirs.results, side_by_side(text, ours, theirs)
    assert Counter(ours.events) == Counter(theirs.events), side_by_side(text, ours, theirs)
    return ours.events != theirs.events


values = st.lists(st.integers(0, 23), max_size=150)


# --- without lists and dicts ------------------------------------------------------------------------------


def test_the_same_order_on_five_hundred_programs(full: bool) -> None:
    texts = [seeded(seed, many=False) for seed in range(PROGRAMS * (10 if full else 1))]
    assert sum(len(check_same(text).events) for text in texts) > EVENTS_MIN
    stand = {what: sum(what in text.source for text in texts) for what in STAND_MIN}
    assert {what: count for what, count in stand.items() if count < STAND_MIN[what]} == {}


@settings(max_examples=100)
@given(values)
def test_the_same_order_on_what_shrinks(values: list[int]) -> None:
    check_same(listed(values, many=False))


# --- with lists and dicts ---------------------------------------------------------------------------------


def test_with_lists_and_dicts_the_same_results(full: bool) -> None:
    texts = [seeded(seed, many=True) for seed in range(PROGRAMS * (10 if full else 1))]
    assert sum("(yield [" in text.source for text in texts) > 100
    assert sum("(yield {" in text.source for text in texts) > 100
    assert sum(map(check_same_but_for_order, texts)) > 20


@settings(max_examples=100)
@given(values)
def test_with_lists_and_dicts_the_same_results_on_what_shrinks(values: list[int]) -> None:
    check_same_but_for_order(listed(values, many=True))


#: The numbers that draw the smallest program whose order differs, and that program.
SMALLEST = [1, 1, 1, 0, 1, 0, 0, 1, 1]
SMALLEST_SOURCE = """\
@coroutine
def c1():
    say(1, (yield [f[0]]))

@coroutine
def main():
    c1_called = c1()
    say(2, (yield f[0]))
"""


def smaller(values: list[int]) -> Iterator[list[int]]:
    """All that one step of shrinking makes of it: some numbers in a row left out, or one made smaller."""
    for start in range(len(values)):
        for end in range(start + 1, len(values) + 1):
            yield values[:start] + values[end:]
        for less in range(values[start]):
            yield [*values[:start], less, *values[start + 1 :]]


def test_the_smallest_program_whose_order_differs() -> None:
    """The list was yielded first.  In the text it is there when its future is, and so `c1` goes on first; in tornado an
    iteration later, and so `main` does.
    """
    text = listed(SMALLEST, many=True)
    assert text.source == SMALLEST_SOURCE
    assert [number for _, number, _ in run(text, ladder).events] == [1, 2]
    assert [number for _, number, _ in run(text, tornado).events] == [2, 1]


def test_none_smaller_differs() -> None:
    assert not any(check_same_but_for_order(listed(less, many=True)) for less in smaller(SMALLEST))


def an_iteration_later(child: object) -> Future[Any]:  # Any: whatever it will hold
    """The future of the child if it is done; else one that is done an iteration after it."""
    future = ladder_gen.convert_yielded(child)
    if future.done():
        return future
    later = Future[Any]()

    def copy(done: Future[Any]) -> None:
        error = done.exception()
        if error is None:
            later.set_result(done.result())
        else:
            later.set_exception(error)

    IOLoop.current().add_future(future, copy)
    return later


def test_with_one_iteration_more_it_is_tornados_order(monkeypatch: pytest.MonkeyPatch) -> None:
    multi = ladder_gen.multi

    def later(
        keys: list[Any], children: list[object], made: Callable[[dict[Any, Any]], Any]
    ) -> Any:  # Any: as multi
        copies = {id(child): an_iteration_later(child) for child in children}
        return multi(keys, [copies[id(child)] for child in children], made)

    monkeypatch.setattr(ladder_gen, "multi", later)
    for seed in range(PROGRAMS // 2):
        check_same(seeded(seed, many=True))


# --- what the programs leave out --------------------------------------------------------------------------


def lines_of(source: str, runtime: Callable[[], Runtime]) -> list[object]:
    """What a program of one's own prints: the numbers, and "log"."""
    return [number for _, number, _ in run(Program(source), runtime).events]


def test_a_callback_on_a_future_is_called_at_once_in_the_text() -> None:
    source = """\
def main():
    f[0].add_done_callback(lambda future: say(1))
    f[0].set_result(None)
    say(2)
"""
    assert lines_of(source, ladder) == [1, 2]
    assert lines_of(source, tornado) == [2, 1]


def test_none_is_a_bad_yield_in_the_text_and_a_moment_in_tornado() -> None:
    source = """\
@coroutine
def main():
    add_callback(say, 1)
    try:
        yield None
    except Exception as error:
        say(2)
    say(3)
"""
    assert lines_of(source, ladder) == [2, 3, 1]
    assert lines_of(source, tornado) == [1, 3]


# --- the text's example -----------------------------------------------------------------------------------


def test_asyn_sum_prints_what_it_prints_on_tornado_where_it_never_ends() -> None:
    """N8: the text starts a loop, and nobody stops it; `Hang` stands for "for ever".  Ours ends."""
    said: list[str] = []
    stock = VirtualLoop()
    loop = AsyncIOLoop(asyncio_loop=stock, make_current=False)

    @gen.coroutine
    def asyn_sum(a: int, b: int) -> Generator[Any, Any, None]:  # Any: what tornado's coroutines yield
        said.append("begin")
        future = stock.create_future()

        def compute() -> None:
            said.append("calculating")
            future.set_result(a + b)

        loop.add_callback(compute)
        result = yield future
        said.append("after yielded")
        said.append(f"the {a}+{b}={result}")

    loop.add_callback(asyn_sum, 2, 3)
    with pytest.raises(Hang):
        loop.start()
    loop.close()
    ours: list[str] = []
    world = SimulatedWorld(Site({}, ()))
    assert sums.main(world, ours.append) == 5
    world.close()
    assert ours == said == ["begin", "calculating", "after yielded", "the 2+3=5"]


# --- the comparison sees what it is to see ----------------------------------------------------------------


def at_once(loop: IOLoop, future: Future[Any], callback: Callable[[Future[Any]], object]) -> None:
    future.add_done_callback(callback)


def last_in_first_out(
    loop: IOLoop, callback: Callable[..., object], *args: Any
) -> None:  # Any: as add_callback
    loop._callbacks.appendleft(partial(callback, *args))


def without_moment() -> Runtime:
    done = Future[None]()
    done.set_result(None)
    return replace(ladder(), moment=done)


def some_program_differs(new_ours: Callable[[], Runtime]) -> bool:
    texts = (seeded(seed, many=False) for seed in range(PROGRAMS))
    return any(run(text, new_ours) != run(text, tornado) for text in texts)


@pytest.mark.parametrize(("name", "wrong"), [("add_future", at_once), ("add_callback", last_in_first_out)])
def test_a_loop_of_another_order_is_found(
    name: str, wrong: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(IOLoop, name, wrong)
    assert some_program_differs(ladder)


def test_a_moment_that_does_not_wait_is_found() -> None:
    assert some_program_differs(without_moment)


def test_a_result_instead_of_an_error_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def set_exception(future: Future[Any], error: BaseException) -> None:
        future.set_result(None)

    monkeypatch.setattr(Future, "set_exception", set_exception)
    assert some_program_differs(ladder)
