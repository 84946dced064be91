"""Queue, beyond the state machine's tests: loops, errors thrown into waiters, negative bounds, empty wait queues."""

from __future__ import annotations

import pytest

import impl
from impl import sleep

from ...refinement.subjects import one_turn


def test_it_is_bound_to_the_loop_of_its_first_waiter() -> None:
    queue: impl.Queue[int] = impl.Queue()
    first = impl.Loop()
    waiting = first.create_task(queue.get())
    one_turn(first)
    with pytest.raises(RuntimeError, match="different event loop"):
        impl.run(queue.get())
    queue.put_nowait(1)
    assert first.run_until_complete(waiting) == 1
    first.close()


def test_without_waiting_it_needs_no_loop() -> None:
    queue: impl.Queue[int] = impl.Queue(2)
    queue.put_nowait(1)
    queue.put_nowait(2)
    with pytest.raises(impl.QueueFull):
        queue.put_nowait(3)
    assert [queue.get_nowait(), queue.get_nowait()] == [1, 2]
    with pytest.raises(impl.QueueEmpty):
        queue.get_nowait()


@pytest.mark.parametrize("maxsize", [0, -1, -5])
def test_no_bound(maxsize: int) -> None:
    queue: impl.Queue[int] = impl.Queue(maxsize)
    for item in range(100):
        queue.put_nowait(item)
    assert (queue.full(), queue.qsize(), queue.maxsize) == (False, 100, maxsize)


def test_one_task_done_too_many_changes_nothing() -> None:
    """QUEUE-8."""
    queue: impl.Queue[int] = impl.Queue()
    queue.put_nowait(1)
    queue.task_done()
    for _ in range(2):
        with pytest.raises(ValueError, match="too many times"):
            queue.task_done()
    queue.put_nowait(2)
    queue.task_done()
    impl.run(queue.join())


def test_join_rearms() -> None:
    """QUEUE-7: the count may rise and fall repeatedly."""

    async def main() -> list[float]:
        loop = impl.get_running_loop()
        queue: impl.Queue[int] = impl.Queue()
        times = []
        for _ in range(3):
            queue.put_nowait(1)
            loop.call_later(1, queue.task_done)
            await queue.join()
            times.append(loop.time())
        return times

    assert impl.run(main()) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("line", ["getters", "putters"])
def test_a_wake_up_of_a_cancelled_waiter_goes_to_the_next(line: str) -> None:
    """QUEUE-5: between wake-up and run, the wake-up is passed on."""
    loop = impl.Loop()
    queue: impl.Queue[int] = impl.Queue(1)
    if line == "putters":
        queue.put_nowait(0)
        tasks: list[impl.Task[object]] = [loop.create_task(queue.put(number)) for number in (1, 2)]
    else:
        tasks = [loop.create_task(queue.get()) for _ in range(2)]
    one_turn(loop)
    if line == "putters":
        assert queue.get_nowait() == 0
    else:
        queue.put_nowait(1)
    tasks[0].cancel()
    loop.run_until_complete(tasks[1])
    assert tasks[0].cancelled()
    assert queue.qsize() == (1 if line == "putters" else 0)
    loop.close()


def test_cancelled_waiters_leave_no_trace() -> None:
    """bpo-31620: the wait queues do not grow.  A wait queue keeps its futures alive, so the collector shows it."""
    import gc

    async def main() -> int:
        queue: impl.Queue[int] = impl.Queue()
        for _ in range(50):
            getter = impl.create_task(queue.get())
            await sleep(0)
            getter.cancel()
            await sleep(0)
        del getter
        return sum(type(thing) is impl.Future for thing in gc.get_referents(*gc.get_referents(queue)))

    assert impl.run(main()) == 0


def test_repr_says_what_it_holds() -> None:
    queue: impl.Queue[int] = impl.Queue(2)
    queue.put_nowait(1)
    assert repr(queue) == "<Queue maxsize=2 items=1 unfinished=1>"
