"""After `close`: no coroutine un-awaited, no task left, no reference cycle, however the run ended.

Only the collector finds a cycle.  So each scenario runs with the collector off; afterwards the objects that it finds
unreachable are kept (`gc.DEBUG_SAVEALL`), counted, and named.  Warnings are errors here
(pyproject.toml), so a coroutine that was never awaited would fail the test as well.
"""

import gc
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import pytest

import impl
from impl import sleep
from impl.combinators.timeout import timeout
from impl.interfaces import Observer

from ...programs.generate import seeded
from ...programs.runtimes import Ours, observe
from ...refinement.subjects import one_turn
from .conftest import Context, cleans_up


@contextmanager
def garbage() -> Iterator[list[str]]:
    """After the block the list names the types of the objects that only the collector could free."""
    found: list[str] = []
    gc.collect()
    gc.freeze()  # do not scan the objects of other tests each time
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        found.extend(type(thing).__name__ for thing in gc.garbage)
    finally:
        gc.garbage.clear()
        gc.set_debug(0)
        gc.enable()


Program = Callable[[], Any]  # Any: a coroutine or a generator


async def normal() -> None:
    queue: impl.Queue[int] = impl.Queue(2)

    async def work() -> None:
        while True:
            await queue.get()
            await sleep(1)
            queue.task_done()

    workers = [impl.create_task(work()) for _ in range(3)]
    for item in range(5):
        await queue.put(item)
    await queue.join()
    for worker in workers:
        worker.cancel()


async def waits() -> None:
    await impl.Future()


async def left() -> None:
    for _ in range(3):
        impl.create_task(waits())
    await sleep(1)


async def fails() -> None:
    await sleep(1)
    raise ValueError("the program's")


async def child_fails() -> None:
    await impl.create_task(fails())


async def child_fails_and_is_forgiven() -> None:
    with suppress(ValueError):
        await impl.create_task(fails())


async def future_fails() -> None:
    future: impl.Future[None] = impl.Future()
    impl.get_running_loop().call_later(1, future.set_exception, ValueError("the future's"))
    try:
        await future
    finally:
        del future  # else this frame would be a cycle of the program's own


def generator_fails() -> Any:  # Any: see Program
    yield impl.create_task(fails())


async def deadlocks() -> None:
    await impl.create_task(waits())


async def times_out() -> None:
    async with timeout(1):
        await sleep(5)


async def awaits_itself() -> None:
    await impl.current_task()  # type: ignore[misc]  # there is one


async def cancels_itself() -> None:
    impl.current_task().cancel("enough")  # type: ignore[union-attr]  # there is one
    await sleep(1)


async def awaits_a_cancelled_child() -> None:
    child = impl.create_task(sleep(5))
    await sleep(0)
    child.cancel()
    await child


ENDS: dict[Program, type[BaseException] | None] = {
    normal: None,
    left: None,
    fails: ValueError,
    child_fails: ValueError,
    child_fails_and_is_forgiven: None,
    future_fails: ValueError,
    generator_fails: ValueError,
    deadlocks: impl.DeadlockError,
    times_out: TimeoutError,
    awaits_itself: RuntimeError,
    cancels_itself: impl.CancelledError,
    awaits_a_cancelled_child: impl.CancelledError,
}


def end_of(main: Program, loop: impl.Loop) -> type[BaseException] | None:
    try:
        loop.run(main())
    except BaseException as error:
        return type(error)
    return None


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("order", ["fifo", "any"])
@pytest.mark.parametrize("main", ENDS, ids=lambda main: main.__name__)
def test_however_it_ends_nothing_is_left(main: Program, order: Any, watched: bool) -> None:
    with garbage() as found:
        loop = impl.Loop(impl.Choices.seeded(1), order, impl.Recorder() if watched else None)
        assert end_of(main, loop) is ENDS[main]
        assert (loop.is_closed(), loop.live, len(loop.ready), loop.next_event()) == (True, {}, 0, None)
        del loop
    assert found == []


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 5, 8])
@pytest.mark.parametrize("main", ENDS, ids=lambda main: main.__name__)
def test_closed_half_way_nothing_is_left(main: Program, turns: int) -> None:
    with garbage() as found:
        loop = impl.Loop(observer=impl.Recorder())
        loop.set_exception_handler(lambda loop, context: None)
        task = loop.create_task(main())
        for _ in range(turns):
            if not task.done():
                one_turn(loop)
        loop.close()
        assert (task.done(), loop.live) == (True, {})
        del loop, task
    assert found == []


@pytest.mark.parametrize("observer", [None, Observer()])
def test_a_stack_that_is_kept_does_not_hold_a_task_that_failed(observer: Observer | None) -> None:
    """The frames of its error lead to those of the loop, on some Pythons unasked."""
    stacks: list[FrameType] = []

    async def fails() -> None:
        stacks.append(sys._getframe(1))
        raise ValueError

    loop = impl.Loop(observer=observer)
    task = loop.create_task(fails())
    gone = weakref.ref(task)
    loop.turn()
    assert isinstance(task.exception(), ValueError)
    del task
    assert gone() is None


def test_the_collector_sees_a_cycle_where_there_is_one() -> None:
    with garbage() as found:
        cycle: list[object] = []
        cycle.append(cycle)
        del cycle
    assert found == ["list"]


def test_closing_runs_finally_blocks_oldest_task_first(loop: impl.Loop) -> None:
    seen: list[int] = []
    tasks = [loop.create_task(cleans_up(seen, number)) for number in range(4)]
    loop.call_soon(tasks[3].cancel)
    one_turn(loop)
    loop.close()
    assert seen == [0, 1, 2, 3]
    assert all(task.cancelled() for task in tasks)


def test_a_task_that_will_not_close_is_reported_and_gone(loop: impl.Loop, reports: list[Context]) -> None:
    async def stubborn() -> None:
        try:
            await impl.Future()
        except BaseException:
            raise KeyError("on closing") from None

    task = loop.create_task(stubborn())
    one_turn(loop)
    loop.close()
    assert [repr(report["exception"]) for report in reports] == ["KeyError('on closing')"]
    assert (task.cancelled(), loop.live) == (True, {})


def test_random_programs_leave_no_task() -> None:
    for seed in range(50):
        loop = impl.Loop()
        observe(seeded(seed, timers=True), Ours(loop=loop))
        assert (loop.live, len(loop.ready)) == ({}, 0)
