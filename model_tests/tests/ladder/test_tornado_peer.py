"""Row 21: the ladder's Tornado beside tornado itself, on written programs.

Both run the same source in virtual time: ours in the simulated environment, tornado on stock asyncio with a clock that
jumps.  A program's `main` is called by the loop, which then runs until nothing can happen any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from tornado import gen
from tornado.platform.asyncio import AsyncIOLoop

from impl.errors import DeadlockError
from impl.ladder.tornado import coroutine as ladder_gen
from impl.ladder.tornado.future import Future
from impl.ladder.tornado.ioloop import IOLoop

from ...programs.virtual_asyncio import Hang, VirtualLoop
from .conftest import simulated

PROGRAMS = {
    "the first step is taken in the call": """
@coroutine
def child():
    say("first step")
    yield moment
    say("second step")
@coroutine
def main():
    called = child()
    say("called")
    yield called
""",
    "what a callback adds waits for the next iteration": """
def callback():
    say("callback")
    add_callback(say, "added")
    later(0, partial(say, "timeout"))
def main():
    add_callback(callback)
    add_callback(say, "second")
""",
    "moment lets each other coroutine take a step": """
@coroutine
def steps(name):
    for number in range(3):
        say(name, number)
        yield moment
@coroutine
def main():
    yield [steps("a"), steps("b")]
""",
    "a done future does not wait": """
@coroutine
def main():
    f[0].set_result("done")
    add_callback(say, "callback")
    for _ in range(3):
        say((yield f[0]))
    yield moment
    say("after moment")
""",
    "a resolved future resumes its coroutine after the callbacks that are there": """
@coroutine
def waits():
    say("waits", (yield f[0]))
def main():
    waits()
    add_future(f[0], lambda future: say("add_future", future.result()))
    add_callback(say, "before")
    f[0].set_result(1)
    add_callback(say, "after")
    say("next line")
""",
    "coroutines wait for coroutines and return in four ways": """
@coroutine
def returns():
    yield moment
    return 1
@coroutine
def raises_return():
    yield sleep(0.1)
    raise Return(2)
@coroutine
def returns_at_once():
    return 3
    yield
@coroutine
def no_generator():
    return 4
@coroutine
def main():
    for child in (returns, raises_return, returns_at_once, no_generator):
        say((yield child()))
""",
    "an error goes up through coroutines, whose cleanup may wait": """
@coroutine
def fails():
    try:
        yield sleep(0.1)
        raise KeyError("inner")
    finally:
        yield sleep(0.1)
        say("cleaned up")
@coroutine
def passes_on():
    yield fails()
    say("not reached")
@coroutine
def main():
    try:
        yield passes_on()
    except KeyError as error:
        say("caught", error)
""",
    "the error of a future is raised in each coroutine that waits": """
@coroutine
def waits(name):
    try:
        yield f[0]
    except ValueError as error:
        say(name, error)
@coroutine
def main():
    children = [waits("first"), waits("second")]
    f[0].set_exception(ValueError("of the future"))
    say("next line")
    yield children[1]
    yield waits("late")
""",
    "a bad yield is raised at the yield": """
@coroutine
def main():
    for bad in (7, [7], {"a": ["b"]}):
        try:
            yield bad
        except Exception as error:
            say(error)
    yield moment
    say("goes on")
""",
    "a failing callback or coroutine is logged, and the loop goes on": """
@coroutine
def fails():
    yield moment
    raise KeyError
def main():
    add_callback(lambda: 1 // 0)
    add_callback(fails)
    later(0.1, partial(say, "later"))
""",
    "lists and dicts of futures are waited for together": """
@coroutine
def after(seconds):
    yield sleep(seconds)
    return seconds
@coroutine
def main():
    twice = after(0.1)
    f[0].set_result(4)
    say((yield {"list": [after(0.3), twice, twice], "dict": {1: after(0.2)}, "done": f[0]}))
    say((yield []), (yield {}))
""",
    "the first of several errors is raised when all are done, and the others are logged": """
@coroutine
def fails(error, seconds):
    yield sleep(seconds)
    raise error
@coroutine
def main():
    try:
        yield [fails(KeyError("slow"), 0.2), fails(ValueError("quick"), 0.1), sleep(0.3)]
    except Exception as error:
        say(error)
""",
}

#: The text's list is done as soon as its last future is, tornado's an iteration later.
OTHER_ORDER = """
@coroutine
def lists():
    say("list", (yield [f[0]]))
@coroutine
def main():
    lists()
    add_callback(lambda: f[0].set_result(1))
    say("future", (yield f[0]))
"""


# Any, from here on: programs are text, and their functions and values have no type.
class Runtime(NamedTuple):
    """A loop in virtual time, with the module of `coroutine`, `moment` and `Return`, and its loggers."""

    loop: Any
    time: Callable[[], float]
    later: Callable[[float, Callable[[], object]], object]
    future: Callable[[], Any]
    module: ModuleType
    logs: tuple[str, ...]


@contextmanager
def ladder() -> Iterator[Runtime]:
    with simulated() as world, closing(IOLoop(world)) as loop:
        logs = ("impl.ladder.tornado.ioloop", "impl.ladder.tornado.coroutine")

        def later(seconds: float, callback: Callable[[], object]) -> object:
            return loop.add_timeout(world.time() + seconds, callback)

        yield Runtime(loop, world.time, later, Future, ladder_gen, logs)


class _VirtualIOLoop(AsyncIOLoop):
    """Tornado's loop, by the clock of the loop below it."""

    def time(self) -> float:
        return self.asyncio_loop.time()


@contextmanager
def tornado() -> Iterator[Runtime]:
    stock = VirtualLoop()
    stock.set_exception_handler(lambda loop, context: None)  # errors that are never retrieved
    with closing(_VirtualIOLoop(asyncio_loop=stock, make_current=False)) as loop:
        yield Runtime(loop, loop.time, loop.call_later, stock.create_future, gen, ("tornado.application",))


def shown(value: object) -> object:
    """A value; of an error its type."""
    return type(value).__name__ if isinstance(value, Exception) else value


def seen(source: str, runtime: Any, caplog: pytest.LogCaptureFixture) -> tuple[list[Any], list[str]]:
    """The values that a program says, with the virtual milliseconds, and the errors that the loop logs."""
    said: list[Any] = []
    caplog.clear()
    with runtime() as (loop, time, later, new_future, module, logs):

        def sleep(seconds: float) -> Any:
            future = new_future()
            later(seconds, partial(future.set_result, None))
            return future

        def say(*what: object) -> None:
            said.append((round(time() * 1000), *map(shown, what)))

        names = {name: getattr(module, name) for name in ("coroutine", "moment", "Return")} | {
            "say": say,
            "sleep": sleep,
            "later": later,
            "partial": partial,
            "f": [new_future()],
            "add_callback": loop.add_callback,
            "add_future": loop.add_future,
        }
        exec(compile(source, "program", "exec"), names)
        loop.add_callback(names["main"])
        with suppress(DeadlockError, Hang):
            loop.start()
    records = [record for record in caplog.records if record.name in logs]
    return said, [record.exc_info[0].__name__ for record in records if record.exc_info and record.exc_info[0]]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_order_as_tornado(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """The same lines at the same times, and the same errors in the log."""
    ours = seen(PROGRAMS[name], ladder, caplog)
    assert ours == seen(PROGRAMS[name], tornado, caplog)
    assert ours[0]


def test_where_the_order_differs(caplog: pytest.LogCaptureFixture) -> None:
    """One task waits for a list that holds the future for which the other one waits."""
    ours, theirs = (seen(OTHER_ORDER, runtime, caplog)[0] for runtime in (ladder, tornado))
    assert [line[1] for line in ours] == ["list", "future"]
    assert [line[1] for line in theirs] == ["future", "list"]


def _at_once(loop: IOLoop, future: Future[Any], callback: Callable[[Future[Any]], object]) -> None:
    future.add_done_callback(callback)


def _last_in_first_out(loop: IOLoop, callback: Callable[..., object], *args: Any) -> None:
    loop._callbacks.appendleft(partial(callback, *args))


def _a_result(future: Future[Any], error: BaseException) -> None:
    future.set_result(None)


def _no_moment(
    yielded: object, convert: Callable[[object], Future[Any]] = ladder_gen.convert_yielded
) -> Future[Any]:
    future = convert(yielded)
    if future is ladder_gen.moment:
        future = Future[None]()
        future.set_result(None)
    return future


@pytest.mark.parametrize(
    ("place", "name", "wrong"),
    [
        (IOLoop, "add_future", _at_once),
        (IOLoop, "add_callback", _last_in_first_out),
        (Future, "set_exception", _a_result),
        (ladder_gen, "convert_yielded", _no_moment),
    ],
)
def test_a_wrong_loop_is_found(
    place: Any, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Some program differs when a callback runs at once, out of order, an error is lost, or `moment` does not wait."""
    monkeypatch.setattr(place, name, wrong)
    assert any(seen(source, ladder, caplog) != seen(source, tornado, caplog) for source in PROGRAMS.values())
