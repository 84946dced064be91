"""Generators as tasks, as in the chapter: `yield f`, `yield from f`, sub-generators, errors and cancels thrown in."""

from collections.abc import Callable, Generator
from typing import Any

import pytest

import impl
from impl import sleep

from ...refinement.subjects import one_turn
from .conftest import after

# `Any`: the values that a generator exchanges with its driver.
Steps = Generator[Any, Any, Any]


def by_yield(future: impl.Future[Any]) -> Steps:
    got = yield future
    return got


def by_yield_from(future: impl.Future[Any]) -> Steps:
    got = yield from future
    return got


def by_sub_generator(future: impl.Future[Any]) -> Steps:
    first = yield from by_yield(future)
    second = yield from by_yield_from(future)
    assert first == second
    return second


WAYS = pytest.mark.parametrize("way", [by_yield, by_yield_from, by_sub_generator])
Way = Callable[["impl.Future[Any]"], Steps]


@WAYS
async def test_the_result_is_sent_in_and_returned(loop: impl.Loop, way: Way) -> None:
    future = loop.create_future()
    loop.call_later(1, future.set_result, "result")
    assert await impl.create_task(way(future)) == "result"
    assert loop.time() == 1.0


@WAYS
@pytest.mark.parametrize("cancel", [False, True])
def test_an_error_or_a_cancel_is_thrown_in(loop: impl.Loop, way: Way, cancel: bool) -> None:
    future = loop.create_future()
    seen: list[object] = []

    def steps() -> Steps:
        try:
            yield from way(future)
        except (impl.CancelledError, KeyError) as error:
            seen.append(error.args)
            yield from sleep(1).__await__()
            raise

    task = loop.create_task(steps())
    act = (task.cancel, "stop") if cancel else (future.set_exception, KeyError("stop"))
    loop.call_later(1, *act)
    with pytest.raises(impl.CancelledError if cancel else KeyError):
        loop.run_until_complete(task)
    assert (seen, loop.time()) == ([("stop",)], 2.0)
    assert (task.cancelled(), future.cancelled()) == (cancel, cancel)


def test_it_may_yield_whatever_can_be_awaited(loop: impl.Loop) -> None:
    def steps() -> Steps:
        first = yield after(1, "coroutine")
        second = yield impl.create_task(after(1, "task"))
        third = yield sleep(1, "sleep")
        nothing = yield  # as sleep(0)
        return first, second, third, nothing

    assert loop.run(steps()) == ("coroutine", "task", "sleep", None)
    assert loop.time() == 3.0


def test_generators_and_coroutines_await_each_other() -> None:
    def steps() -> Steps:
        value = yield impl.create_task(middle())
        return value + 1

    async def middle() -> int:
        return int(await impl.create_task(leaf())) * 10

    def leaf() -> Steps:
        yield from sleep(0).__await__()
        return 4

    assert impl.Loop().run(steps()) == 41


async def test_generators_are_gathered_and_waited_for() -> None:
    """ENSURE-1."""

    def steps() -> Steps:
        yield from impl.get_running_loop().alarm(1)
        return "steps"

    assert await impl.wait_for(steps(), 2) == "steps"
    both: object = await impl.gather(steps(), sleep(0, "sleep"))
    assert both == ["steps", "sleep"]


def test_the_finally_of_a_generator_runs_when_its_loop_is_closed(loop: impl.Loop) -> None:
    seen: list[str] = []

    def steps() -> Steps:
        try:
            yield impl.Future()
        finally:
            seen.append("closed")

    generator = steps()  # it is closed although a reference to it is left
    loop.create_task(generator)
    one_turn(loop)
    loop.close()
    assert seen == ["closed"]


def test_a_generator_that_is_closed_awaits_nothing_more(loop: impl.Loop) -> None:
    """A yield in its finally block is an error, as in any generator, and the yielded awaitable is not begun."""
    seen: list[str] = []

    class Noted:
        def __await__(self) -> Steps:
            seen.append("begun")
            yield

    def steps() -> Steps:
        try:
            yield
        finally:
            yield Noted()

    coro = loop.create_task(steps()).get_coro()
    one_turn(loop)
    with pytest.raises(RuntimeError, match="ignored GeneratorExit"):
        coro.close()
    assert seen == []
    loop.close()
