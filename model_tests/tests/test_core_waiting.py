"""wait, wait_for, as_completed, shield, ensure_future, wrap_future: rule by rule, and a cancel at every moment."""

from __future__ import annotations

import concurrent.futures
import sys
import threading
from collections.abc import Generator, Iterator
from typing import Any

import pytest

import impl
from impl import (
    ALL_COMPLETED,
    FIRST_COMPLETED,
    FIRST_EXCEPTION,
    CancelledError,
    as_completed,
    ensure_future,
    running,
    shield,
    sleep,
    wait,
    wait_for,
    wrap_future,
)
from impl.net.real import SocketLoop

from .cancel_everywhere import Body, World, check_everywhere


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
    """WAIT-2: FIRST_EXCEPTION is not met by a cancelled task."""

    async def main() -> None:
        victim, other = task(5, "victim"), task(3, "other")
        impl.get_running_loop().call_at(1, victim.cancel)
        assert await wait([victim, other], return_when=FIRST_EXCEPTION) == ({victim, other}, set())
        assert now() == 3

    loop.run(main())


def test_a_cancelled_wait_leaves_the_awaitables_alone(loop: impl.Loop) -> None:
    """WAIT-5; and nothing of it is left behind: no callback, no timer."""

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
        wrong: list[Any] = [coro, future, [coro], [future, 42]]  # Any: that is what is wrong with them
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
    """Takes so many seconds to answer a cancel by a result, an error, or, with None, the cancel itself."""
    try:
        await sleep(100)
    except CancelledError:
        await sleep(seconds)
        if result is None:
            raise
        return await after(0, result)


def test_in_time_it_is_the_result(loop: impl.Loop) -> None:
    """WAITFOR-1, WAITFOR-6; the timer is gone."""

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
    """WAITFOR-5: what is done gives its result; a coroutine does not begin."""
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
    """ASDONE-2: what is not done is left alone; what came before is given first."""

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
        ]  # Any: that is what is wrong with them
        for refused in wrong:
            with pytest.raises(TypeError, match="iterable"):
                as_completed(refused)
        coro.close()
        assert list(as_completed([])) == []

    loop.run(main())


# --- shield --------------------------------------------------------------------------------------------------


def test_the_outer_takes_over_a_turn_later(loop: impl.Loop) -> None:
    """SHIELD-1."""

    async def main() -> None:
        for result in ("there", KeyError("mine")):
            inner = impl.get_running_loop().create_future()
            outer = shield(inner)
            assert outer is not inner
            if isinstance(result, str):
                inner.set_result(result)
            else:
                inner.set_exception(result)
            assert not outer.done()
            await sleep(0)
            assert outer.done()
            assert outer.exception() is inner.exception()
        assert shield(inner) is inner  # done already

    loop.run(main())


def test_cancelling_the_outer_leaves_the_inner_alone(loop: impl.Loop) -> None:
    """SHIELD-2."""

    async def main() -> None:
        inner = task(3, "inner")
        caller = impl.create_task(wait_for(shield(inner), 9))
        await sleep(1)
        caller.cancel()
        with pytest.raises(CancelledError):
            await caller
        assert inner.cancelling() == 0
        assert inner._waiters() == []
        assert (await inner, now()) == ("inner", 3)

    loop.run(main())


def test_a_cancelled_inner_cancels_the_outer(loop: impl.Loop) -> None:
    """SHIELD-3."""

    async def main() -> None:
        inner = task(3, "inner")
        outer = shield(inner)
        await sleep(1)
        inner.cancel()
        with pytest.raises(CancelledError):
            await outer
        assert outer.cancelled()

    loop.run(main())


# --- ensure_future -------------------------------------------------------------------------------------------


class Later:
    """Any awaitable."""

    def __await__(self) -> Generator[Any, Any, str]:
        yield from sleep(1).__await__()
        return "later"


def test_whatever_can_be_awaited_is_a_future(loop: impl.Loop) -> None:
    """ENSURE-1."""

    async def main() -> None:
        future, made = impl.get_running_loop().create_future(), task(0, 0)
        assert ensure_future(future) is future
        assert ensure_future(made, loop=loop) is made
        for what in (after(1, "later"), Later()):
            ensured = ensure_future(what)
            assert isinstance(ensured, impl.Task)
            assert await ensured == "later"

    loop.run(main())


def test_what_ensure_future_refuses(loop: impl.Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    """ENSURE-1; a coroutine for which there is no loop is closed: nothing is left un-awaited."""
    monkeypatch.setattr(running, "usual", running.none_runs)  # as where no bridge to asyncio was imported
    for nothing in (42, None, [loop.create_future()]):
        with pytest.raises(TypeError, match="required"):
            ensure_future(nothing)
    with pytest.raises(ValueError, match="different loop"):
        ensure_future(loop.create_future(), loop=impl.Loop())
    with pytest.raises(RuntimeError, match="no running event loop"):
        ensure_future(after(1, 0))


def test_what_is_a_coroutine() -> None:
    coro, steps = after(1, 0), (n for n in range(3))
    assert [impl.iscoroutine(what) for what in (coro, steps, after, Later())] == [True, True, False, False]
    coro.close()


# --- wrap_future ---------------------------------------------------------------------------------------------


def test_the_outcome_of_another_thread_arrives() -> None:
    """WRAP-1; the loop waits for it, with nothing else to wait for, and does not take it for a deadlock."""
    theirs: concurrent.futures.Future[str] = concurrent.futures.Future()
    parked = threading.Event()

    async def main() -> str:
        wrapped = wrap_future(theirs)
        assert wrap_future(wrapped) is wrapped
        impl.get_running_loop().call_soon(parked.set)
        result: str = await wrapped
        return result

    def other() -> None:
        parked.wait()
        theirs.set_result("from there")

    thread = threading.Thread(target=other)
    thread.start()
    loop = SocketLoop()
    assert loop.run(main()) == "from there"
    assert loop.pending == 0
    thread.join()


def test_a_simulated_loop_is_told_in_its_own_thread(loop: impl.Loop) -> None:
    """WRAP-1: outcomes of each kind, and a turn later."""

    async def main() -> None:
        for outcome in ("result", KeyError(), concurrent.futures.CancelledError("theirs")):
            theirs: concurrent.futures.Future[Any] = concurrent.futures.Future()
            wrapped = wrap_future(theirs)
            if isinstance(outcome, BaseException):
                theirs.set_exception(outcome)
            else:
                theirs.set_result(outcome)
            assert not wrapped.done()
            (got,) = await impl.gather(wrapped, return_exceptions=True)
            if isinstance(outcome, concurrent.futures.CancelledError):
                assert isinstance(got, CancelledError)
                assert got.args == ("theirs",)
            else:
                assert got is outcome

    loop.run(main())


def test_a_cancelled_wrapper_cancels_what_it_wraps(loop: impl.Loop) -> None:
    """WRAP-1; and the other way."""

    async def main() -> None:
        theirs: concurrent.futures.Future[str] = concurrent.futures.Future()
        wrap_future(theirs).cancel()
        await sleep(0)
        assert theirs.cancelled()
        wrapped = wrap_future(theirs)
        with pytest.raises(CancelledError):
            await wrapped
        assert wrapped.cancelled()

    loop.run(main())
    with pytest.raises(TypeError, match="required"):
        wrap_future(42, loop=loop)


def test_an_outcome_after_the_end_is_nobodys(caplog: pytest.LogCaptureFixture) -> None:
    """A closed loop hears nothing; the thread that resolves is not troubled."""
    theirs: concurrent.futures.Future[int] = concurrent.futures.Future()
    loop = impl.Loop()
    wrap_future(theirs, loop=loop)
    loop.close()
    theirs.set_result(1)
    assert caplog.records == []


# --- a cancel at every moment --------------------------------------------------------------------------------


def waiting(return_when: str, timeout: float | None) -> Body:
    async def wait(w: World) -> object:
        tasks = [
            w.task("a", w.child("a", 1, "A")),
            w.task("b", w.child("b", 2, KeyError(1))),
            w.task("c", w.child("c", 3, "C")),
        ]
        done, pending = await w.s.wait(tasks, timeout=timeout, return_when=return_when)
        return sorted(one.get_name() for one in done), sorted(one.get_name() for one in pending)

    return wait


@pytest.mark.parametrize("timeout", [None, 1.5])
@pytest.mark.parametrize("return_when", [FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED])
def test_wait_cancelled_at_every_moment(return_when: str, timeout: float | None) -> None:
    check_everywhere(waiting(return_when, timeout), 0, 1, 1.5, 2, 3)


def waiting_for(timeout: float | None, as_task: bool, seconds: float, on_cancel: str) -> Body:
    async def body(w: World) -> object:
        inner = w.child("a", seconds, "A", on_cancel)
        return await w.s.wait_for(w.task("a", inner) if as_task else inner, timeout)

    return body


ON_CANCEL = ["obey", "tidy", "tidy for a while", "swallow", "fail"]


@pytest.mark.parametrize("as_task", [False, True])
@pytest.mark.parametrize("timeout", [None, -1, 0, 1])
@pytest.mark.parametrize(("seconds", "on_cancel"), [*((2, how) for how in ON_CANCEL), (0.5, "obey")])
def test_wait_for_cancelled_at_every_moment(
    timeout: float | None, as_task: bool, seconds: float, on_cancel: str
) -> None:
    """B01 is seen in all of them that have a timeout, on a Python that has it; the bridge's is as 3.11's there."""
    older = sys.version_info < (3, 12) and timeout == 1
    check_everywhere(
        waiting_for(timeout, as_task, seconds, on_cancel),
        *(0, 0.5, 1, 2),
        known="B01, gh-96764" if older else "",
        pinned="wait_for is a task of its own" if older else "",
    )


async def steps(w: World) -> object:
    tasks = [w.task("a", w.child("a", 2, "A")), w.task("b", w.child("b", 1, "B"))]
    return [await step for step in w.s.as_completed(tasks)]


async def steps_with_a_timeout(w: World) -> object:
    tasks = [w.task("a", w.child("a", 2, "A")), w.task("b", w.child("b", 0.5, "B"))]
    for step in w.s.as_completed(tasks, timeout=1):
        try:
            w.say("step", await step)
        except TimeoutError:
            w.say("timeout")
    return None


async def shielded(w: World) -> object:
    inner = w.task("a", w.child("a", 1, "A"))
    try:
        return await w.s.shield(inner)
    except w.s.CancelledError:
        w.say("and yet", await inner)
        raise


async def shielded_failure(w: World) -> object:
    return await w.s.shield(w.task("a", w.child("a", 1, KeyError())))


async def shielded_and_cancelled(w: World) -> object:
    inner = w.task("a", w.child("a", 2, "A"))
    w.loop.call_at(1, inner.cancel)
    return await w.s.shield(inner)


@pytest.mark.parametrize(
    "body", [steps, steps_with_a_timeout, shielded, shielded_failure, shielded_and_cancelled]
)
def test_a_cancel_at_every_moment(body: Body) -> None:
    check_everywhere(body, 0, 0.5, 1, 2)


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before
