"""wait, wait_for, as_completed: rule by rule."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

import impl
from impl import (
    ALL_COMPLETED,
    FIRST_COMPLETED,
    FIRST_EXCEPTION,
    CancelledError,
    as_completed,
    sleep,
    wait,
    wait_for,
)

# `Any` in this file: results of any type, and arguments of wrong types.


@pytest.fixture
def loop() -> impl.Loop:
    return impl.Loop()


async def after(seconds: float, result: object) -> Any:
    await sleep(seconds)
    if isinstance(result, BaseException):
        raise result
    return result


def now() -> float:
    time: float = impl.get_running_loop().time()
    return time


def task(seconds: float, result: object) -> impl.Task[Any]:
    return impl.create_task(after(seconds, result))


# --- wait ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("return_when", "timeout", "until", "done"),
    [
        (FIRST_COMPLETED, None, 1, [0]),
        (FIRST_EXCEPTION, None, 2, [0, 1]),
        (ALL_COMPLETED, None, 4, [0, 1, 2, 3]),
        (ALL_COMPLETED, 3.5, 3.5, [0, 1, 2]),
        (FIRST_COMPLETED, 0.5, 0.5, []),
        (FIRST_EXCEPTION, 9, 2, [0, 1]),
    ],
)
def test_wait_until_enough_are_done(
    loop: impl.Loop, return_when: str, timeout: float | None, until: float, done: list[int]
) -> None:
    """WAIT-1, WAIT-2, WAIT-3; WAIT-4: a timeout neither raises nor cancels."""

    async def main() -> None:
        tasks = [task(1, "a"), task(2, KeyError()), task(3, "c"), task(4, "d")]
        ended, pending = await wait(tasks, timeout=timeout, return_when=return_when)
        assert now() == until
        assert ended == {tasks[n] for n in done}
        assert pending == set(tasks) - ended
        await sleep(9)
        assert all(one.done() and not one.cancelled() for one in tasks)
        assert isinstance(tasks[1].exception(), KeyError)

    loop.run(main())


def test_a_cancelled_one_is_no_exception(loop: impl.Loop) -> None:
    """WAIT-2: a cancelled task does not satisfy FIRST_EXCEPTION."""

    async def main() -> None:
        victim, other = task(5, "victim"), task(3, "other")
        impl.get_running_loop().call_at(1, victim.cancel)
        assert await wait([victim, other], return_when=FIRST_EXCEPTION) == ({victim, other}, set())
        assert now() == 3

    loop.run(main())


def test_a_cancelled_wait_leaves_the_awaitables_alone(loop: impl.Loop) -> None:
    """WAIT-5; and it leaves no callback and no timer behind."""

    async def main() -> None:
        future = impl.get_running_loop().create_future()
        waiter = impl.create_task(wait([future], timeout=5))
        await sleep(1)
        waiter.cancel()
        with pytest.raises(CancelledError):
            await waiter
        assert not future.cancelled()
        assert future._waiters() == []
        assert loop.next_event() is None

    loop.run(main())


def test_what_wait_refuses(loop: impl.Loop) -> None:
    """WAIT-6."""

    async def main() -> None:
        coro = after(1, 0)
        future = impl.get_running_loop().create_future()
        wrong: list[Any] = [coro, future, [coro], [future, 42]]
        for refused in wrong:
            with pytest.raises(TypeError):
                await wait(refused)
        coro.close()
        nothing: list[impl.Future[None]] = []
        for empty in (nothing, iter(nothing)):
            with pytest.raises(ValueError, match="at least one"):
                await wait(empty)
        with pytest.raises(ValueError, match="return_when"):
            await wait([future], return_when="whenever")

    loop.run(main())


# --- wait_for ------------------------------------------------------------------------------------------------


async def stubborn(seconds: float, result: object) -> Any:
    """Take so many seconds to answer a cancel by a result, an error, or, with None, the cancel itself."""
    try:
        await sleep(100)
    except CancelledError:
        await sleep(seconds)
        if result is None:
            raise
        return await after(0, result)


def test_in_time_it_is_the_result(loop: impl.Loop) -> None:
    """WAITFOR-1, WAITFOR-6; the timer is removed."""

    async def main() -> None:
        assert await wait_for(after(1, "a"), 2) == "a"
        assert await wait_for(task(1, "b"), None) == "b"
        with pytest.raises(KeyError):
            await wait_for(after(1, KeyError()), 2)
        assert now() == 3
        assert loop.next_event() is None

    loop.run(main())


def test_a_timeout_waits_for_the_end_of_the_cancellation(loop: impl.Loop) -> None:
    """WAITFOR-2, bpo-32751."""

    async def main() -> None:
        for inner in (stubborn(3, None), impl.create_task(stubborn(3, None))):
            begun = now()
            with pytest.raises(TimeoutError):
                await wait_for(inner, 2)
            assert now() == begun + 5
            current = impl.current_task()
            assert current is not None
            assert current.cancelling() == 0

    loop.run(main())


def test_what_it_gives_despite_the_timeout_counts(loop: impl.Loop) -> None:
    """WAITFOR-3, bpo-37658, bpo-40607."""

    async def main() -> None:
        assert await wait_for(stubborn(1, "late"), 2) == "late"
        with pytest.raises(KeyError):
            await wait_for(stubborn(1, KeyError()), 2)
        begun = impl.create_task(stubborn(1, "late"))
        await sleep(0)
        assert await wait_for(begun, 0) == "late"

    loop.run(main())


def test_a_cancel_in_the_wake_window_is_not_lost(loop: impl.Loop) -> None:
    """WAITFOR-4, gh-86296: the result is there, the caller has not run yet, and is cancelled."""

    async def main() -> None:
        future = impl.get_running_loop().create_future()
        caller = impl.create_task(wait_for(future, 5))
        await sleep(1)
        future.set_result("there")
        caller.cancel("stop")
        with pytest.raises(CancelledError) as caught:
            await caller
        assert caught.value.args == ("stop",)

    loop.run(main())


def test_a_cancel_reaches_what_is_waited_for(loop: impl.Loop) -> None:
    """WAITFOR-4."""

    async def main() -> None:
        inner = task(9, 0)
        caller = impl.create_task(wait_for(inner, 5))
        await sleep(1)
        caller.cancel()
        with pytest.raises(CancelledError):
            await caller
        assert (inner.cancelled(), now()) == (True, 1)

    loop.run(main())


@pytest.mark.parametrize("timeout", [0, -1])
def test_a_timeout_that_is_over(loop: impl.Loop, timeout: float) -> None:
    """WAITFOR-5: a done awaitable gives its result; a coroutine is not started."""
    began: list[str] = []

    async def body() -> None:
        began.append("body")

    async def main() -> None:
        done = task(0, "done")
        await sleep(1)
        assert await wait_for(done, timeout) == "done"
        with pytest.raises(TimeoutError):
            await wait_for(body(), timeout)
        assert (began, now()) == ([], 1)

    loop.run(main())


def test_a_generator_of_the_chapter_is_waited_for(loop: impl.Loop) -> None:
    def chapter() -> Generator[Any, Any, str]:
        yield from impl.get_running_loop().alarm(1)
        return "chapter"

    async def main() -> None:
        assert await wait_for(chapter(), 2) == "chapter"

    loop.run(main())


# --- as_completed --------------------------------------------------------------------------------------------


def test_in_order_of_completion(loop: impl.Loop) -> None:
    """ASDONE-1."""

    async def main() -> None:
        steps = as_completed([after(3, "c"), after(1, "a"), task(2, "b")])
        assert [(await step, now()) for step in steps] == [("a", 1), ("b", 2), ("c", 3)]

    loop.run(main())


def test_as_completed_leaves_nothing_behind(loop: impl.Loop) -> None:
    """Neither a timer when all are done, nor a callback when the time is over."""

    async def main() -> None:
        for step in as_completed([after(1, "a")], timeout=5):
            await step
        assert loop.next_event() is None
        never = impl.get_running_loop().create_future()
        (step,) = as_completed([never], timeout=1)
        with pytest.raises(TimeoutError):
            await step
        assert never._waiters() == []

    loop.run(main())


def test_an_asynchronous_step_gives_the_future_itself(loop: impl.Loop) -> None:
    """ASDONE-4."""

    async def main() -> None:
        tasks = [task(2, "b"), task(1, KeyError())]
        seen = [(future, future.done(), now()) async for future in as_completed([*tasks, tasks[0]])]
        assert seen == [(tasks[1], True, 1), (tasks[0], True, 2)]
        tasks[1].exception()

    loop.run(main())


def test_all_steps_may_wait_side_by_side(loop: impl.Loop) -> None:
    async def main() -> None:
        steps = list(as_completed([after(2, "b"), after(1, "a")]))
        assert await impl.gather(*steps) == ["a", "b"]

    loop.run(main())


def test_steps_time_out(loop: impl.Loop) -> None:
    """ASDONE-2: pending awaitables are left alone; results from before come first."""

    async def main() -> None:
        late = task(5, "late")
        first, *others = as_completed([late, after(1, "a"), task(4, "b")], timeout=3)
        await sleep(3.5)
        assert await first == "a"
        for other in others:
            with pytest.raises(TimeoutError):
                await other
        assert (await late, now()) == ("late", 5)

    async def asynchronous() -> None:
        steps = as_completed([task(5, "late"), task(1, "a")], timeout=3)
        assert (await anext(steps)).result() == "a"
        with pytest.raises(TimeoutError):
            await anext(steps)
        assert now() == 3

    loop.run(main())
    impl.run(asynchronous())


@pytest.mark.parametrize("asynchronous", [True, False])
@pytest.mark.parametrize("woken", [True, False])
def test_a_cancelled_step_costs_no_result(loop: impl.Loop, asynchronous: bool, woken: bool) -> None:
    """ASDONE-3, gh-158004; also when the step has been woken already."""

    async def main() -> None:
        first, second = (impl.get_running_loop().create_future() for _ in "ab")
        steps = as_completed([first, second])

        async def step() -> object:
            return (await anext(steps)).result() if asynchronous else await next(steps)

        victim = impl.create_task(step())
        await sleep(0)
        if woken:
            first.set_result("a")
            await sleep(0)
        victim.cancel()
        with pytest.raises(CancelledError):
            await victim
        if not woken:
            first.set_result("a")
        second.set_result("b")
        assert (await step(), await step()) == ("a", "b")
        assert await anext(steps, "over") == "over"
        assert next(steps, None) is None

    loop.run(main())


def test_what_as_completed_refuses(loop: impl.Loop) -> None:
    async def main() -> None:
        coro = after(1, 0)
        wrong: list[Any] = [
            coro,
            impl.get_running_loop().create_future(),
        ]
        for refused in wrong:
            with pytest.raises(TypeError, match="iterable"):
                as_completed(refused)
        coro.close()
        assert list(as_completed([])) == []

    loop.run(main())
