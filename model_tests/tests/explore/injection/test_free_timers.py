"""A search without flags lets timers be late and timeouts expire: it finds failures that need that, and no others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import trio

from impl.bridges.asyncio.run import simulate
from impl.explore import explore
from impl.explore.parallel import explore_parallel
from impl.explore.programs.program import RuntimeName, timed_out
from impl.runners.simulate import simulate as simulate_impl
from impl.sim.choices import Choices, Freedom
from impl.sim.inject import FREE, NOTHING, Injection, pack, unpack
from impl.sim.kernel import Kernel
from impl.sim.order import ORDERS
from impl.sim.recipe import order_and_injection
from impl.sim.token import Packer, Unpacker
from impl.tasks.callback import TimerHandle

from ..programs import NAMES, RUNTIMES, Main, failure_of

# Any: asyncio's names.
Makes = Callable[[Any], Main]


def stampede(names: Any) -> Main:
    """The second request comes long after the first, so it sees the stored item, unless the first is slow."""

    async def main() -> None:
        stored: list[int] = []

        async def request(pause: float) -> None:
            await names.sleep(pause)
            if not stored:
                await names.sleep(0.05)
                stored.append(1)

        await names.gather(request(0), request(0.2))
        assert stored == [1]

    return main


def leak(names: Any) -> Main:
    """The item that is popped when the timeout comes is never closed."""

    async def main() -> None:
        left, open_ones = [1, 2], {1, 2}

        async def close() -> None:
            while left:
                one = left.pop()
                await names.sleep(0.1)
                open_ones.discard(one)

        try:
            async with names.timeout(5):
                await close()
        except TimeoutError:
            open_ones.difference_update(left)
        assert not open_ones, "left open"

    return main


def tie(names: Any) -> Main:
    """Two tasks must fail within one turn."""

    async def main() -> None:
        broken, seen = [True], []

        async def call(pause: float) -> None:
            await names.sleep(pause)
            if broken:
                seen.append(pause)
                await names.sleep(0)
                broken.clear()

        await names.gather(call(0.1), call(0.102))
        assert len(seen) < 2

    return main


def bound(names: Any) -> Main:
    """The program trusts that a sleep is not late."""

    async def main() -> None:
        await names.sleep(1)
        assert names.get_running_loop().time() < 1.5

    return main


#: A program, and the words of the need of its failure.
RACES = [
    (stampede, "the timer of line 41 was late: "),
    (leak, "the timeout of line 63 expired at once"),
    (tie, "the timer of line 79 in call 1 was late: together with that of line 79 in call 2"),
    (bound, "the timer of line 95 took twice its time"),
]


@pytest.mark.short("leak--asyncio", "bound--impl", why="half a second each")
@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize(("makes", "needs"), RACES, ids=lambda each: getattr(each, "__name__", ""))
def test_what_needs_a_timer_is_found_without_flags_and_named(makes: Makes, needs: str, runtime: RuntimeName) -> None:
    program = makes(NAMES[runtime])
    assert explore(program, runtime=runtime, late=0.0).verdict == "not exhausted"
    for seed in (0, 7000):
        found = explore(program, runtime=runtime, seed=seed)
        assert found.failure is not None
        assert found.freed
        assert found.runs <= 200
        simple = found.failure.simple
        assert [each.startswith(needs) for each in simple.needs] == [True]
        assert f"  needs: {simple.needs[0]}" in found.report().splitlines()
        assert simple.needs == simple.as_json()["needs"]
    again = explore(program, runtime=runtime, token=simple.token)
    assert again.failure is not None
    assert again.failure.token == simple.token
    run = (simulate_impl if runtime == "impl" else simulate)(program, token=simple.token)
    assert isinstance(run.error, AssertionError)


def test_a_failure_that_an_order_shows_is_preferred() -> None:
    async def main() -> None:
        done: list[str] = []

        async def work(name: str) -> None:
            await asyncio.sleep(0.1)
            done.append(name)

        await asyncio.gather(work("a"), work("b"), asyncio.sleep(1))
        assert done == ["a", "b"]

    failure = failure_of(main)
    assert failure.program.setup.inject == NOTHING
    assert failure.simple.needs == []


def test_a_program_without_timers_is_searched_as_before() -> None:
    async def main() -> int:
        seen: list[int] = []

        async def work(number: int) -> None:
            await asyncio.sleep(0)
            seen.append(number)

        await asyncio.gather(*map(work, range(3)))
        return seen[0]

    found, before = explore(main), explore(main, late=0.0)
    assert (found.digest, found.runs, found.freed) == (before.digest, 200, 0)
    assert found.reason == before.reason


class UnavailableError(Exception):
    """A program says so where a call has taken too long."""


def escapes(names: Any) -> Main:
    async def main() -> None:
        async with names.timeout(1):
            await names.sleep(0.5)

    return main


def escapes_from_a_group(names: Any) -> Main:
    async def main() -> None:
        async with names.TaskGroup() as group:
            group.create_task(escapes(names)())
            group.create_task(names.sleep(0.7))

    return main


def answers_by_an_error(names: Any) -> Main:
    async def call() -> None:
        try:
            async with names.timeout(1):
                await names.sleep(0.5)
        except TimeoutError:
            raise ConnectionError  # noqa: B904  (its context counts)

    async def main() -> None:
        try:
            await call()
        except ConnectionError:
            raise UnavailableError  # noqa: B904

    return main


def ends_the_test(names: Any) -> Main:
    async def main() -> None:
        try:
            async with names.timeout(30):
                await names.sleep(0.5)
        except TimeoutError:
            raise AssertionError("the work hangs")  # noqa: B904

    return main


def cancels_itself(names: Any) -> Main:
    async def main() -> None:
        loop = names.get_running_loop()
        watchdog = loop.call_later(1, names.current_task().cancel)
        await names.sleep(0.5)
        await names.sleep(0.1)
        watchdog.cancel()

    return main


def is_idle(names: Any) -> Main:
    """A consumer goes when nothing has come for a time, and looks once more."""

    async def main() -> None:
        queue, got = names.Queue(), list[int]()

        async def consume() -> None:
            while len(got) < 2:
                try:
                    got.append(await names.wait_for(queue.get(), 0.3))
                except TimeoutError:
                    continue

        async def produce() -> None:
            for n in range(2):
                await names.sleep(0.2)
                queue.put_nowait(n)

        await names.gather(consume(), produce())
        assert got == [0, 1]

    return main


def catches_a_bug(names: Any) -> Main:
    """An operation that fails while a timeout is handled is no answer to it."""

    async def main() -> None:
        calls: dict[int, str] = {}
        try:
            async with names.timeout(1):
                await names.sleep(0.5)
                calls[1] = "answer"
        except TimeoutError:
            del calls[1]

    return main


def asserts_after_a_timeout(names: Any) -> Main:
    """An assert is no answer to the timeout, whatever its text says."""

    async def main() -> None:
        sent: list[int] = []
        try:
            async with names.timeout(1):
                await names.sleep(0.5)
                sent.append(1)
        except TimeoutError:
            assert sent, "else: raise the limit"

    return main


CORRECT = [escapes, escapes_from_a_group, answers_by_an_error, ends_the_test, cancels_itself, is_idle]


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("makes", CORRECT)
def test_the_answer_of_a_program_to_a_timeout_is_no_failure(makes: Makes, runtime: RuntimeName) -> None:
    found = explore(makes(NAMES[runtime]), runtime=runtime)
    assert (found.failures, found.freed) == (0, 66)
    assert "in the last 66 runs timers were late and timeouts expired early" in found.reason


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_an_error_of_an_operation_is_a_failure_where_a_timeout_is_handled(runtime: RuntimeName) -> None:
    assert failure_of(catches_a_bug(NAMES[runtime]), runtime=runtime).outcome == "KeyError: 1"
    failure = failure_of(asserts_after_a_timeout(NAMES[runtime]), runtime=runtime)
    assert failure.outcome.startswith("AssertionError: else: raise the limit")


def test_an_error_of_the_users_with_that_name_is_no_timeout() -> None:
    assert timed_out(TimeoutError())
    assert not timed_out(type("TimeoutError", (Exception,), {})())
    assert not timed_out(type("TooSlowError", (Exception,), {})())


def test_timers_of_a_library_keep_their_times() -> None:
    """Only a task of the library leads to its timer, and none of the user's lines."""
    names: dict[str, Any] = {"asyncio": asyncio}
    text = "async def keep(closed):\n    await asyncio.sleep(75)\n    closed.append(1)\n"
    exec(compile(text, "/lib/site-packages/server.py", "exec"), names)

    async def main() -> None:
        closed: list[int] = []
        task = asyncio.create_task(names["keep"](closed))
        await asyncio.sleep(80)
        assert closed
        await task

    found = explore(main)
    assert (found.failures, found.freed) == (0, 66)


def test_the_clock_of_trio_is_late() -> None:
    async def main() -> None:
        ready = []

        async def serve() -> None:
            await trio.sleep(0.09)
            ready.append(1)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            await trio.sleep(0.1)
            assert ready

    failure = failure_of(main, runtime="trio")
    assert failure.simple.needs == ["the clock was 0.09 s late"]


def test_that_trio_is_too_slow_is_no_failure() -> None:
    async def main() -> None:
        with trio.fail_after(1):
            await trio.sleep(0.5)

    found = explore(main, runtime="trio")
    assert (found.failures, found.freed) == (0, 66)


def test_batches_of_a_search_find_the_same() -> None:
    program = stampede(asyncio)
    whole = explore(program)
    with ThreadPoolExecutor(1) as executor:
        parts = explore_parallel(program, executor=executor, batch=150)
    assert whole.failure is not None
    assert parts.failure is not None
    assert (parts.runs, parts.digest, parts.freed) == (whole.runs, whole.digest, whole.freed)
    assert parts.failure.token == whole.failure.token


def ended(drawn: int) -> list[str]:
    """The timers, first come first, each after the time of the turn; the first timer draws `drawn`."""
    kernel, came = Kernel(Choices.listed({"faults": [drawn]}), inject=Injection(late_freely=True)), list[str]()
    for name, when in (("a", 10), ("b", 20), ("c", 30)):
        kernel.timer(when, TimerHandle(when / 1e9, came.append, (name,), None))
    while kernel.next_event() is not None:
        came.append(str(kernel.next_event()))
        kernel.turn()
    return came


@pytest.mark.parametrize(("drawn", "expected"), [(0, "10 a 20 b 30 c"), (1, "10 20 b 21 a 30 c"), (2, "10 20 b a 30 c"),
                                                 (3, "10 20 b 30 c 31 a")])  # fmt: skip
def test_a_timer_comes_after_the_next_with_it_or_after_the_last(drawn: int, expected: str) -> None:
    assert ended(drawn) == expected.split()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("inject", [NOTHING, FREE, Injection(("a",), True, 3), Injection(("a",), False, 3, True)])
def test_a_token_has_the_injection(order: Any, inject: Injection) -> None:
    packer = Packer()
    pack(packer, order, inject)
    assert unpack(Unpacker(packer.token("x-"), "x-")) == (order, inject)
    whole = Packer().number(7)
    pack(whole, order, inject)
    assert order_and_injection(whole.number(1).token("ls2-")) == (order, inject)


def test_an_injection_of_before_has_the_same_numbers() -> None:
    packer, before = Packer(), Packer().number(ORDERS.index("any") + len(ORDERS)).number(20).number(1).number(0)
    pack(packer, "any", Injection(timeouts=True, late_ms_max=20))
    assert packer.token("x-") == before.token("x-")


def test_each_freedom_is_told() -> None:
    told: list[Freedom] = []
    choices = Choices.listed({"faults": [1]})
    choices.tell = lambda freedom, timer, other=None: told.append(freedom)
    run: Any = simulate(stampede(asyncio), choices=choices, inject=FREE)
    assert isinstance(run.error, AssertionError)
    assert told[0] is Freedom.LATE
