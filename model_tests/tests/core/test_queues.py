"""LifoQueue, PriorityQueue, and shutdown of all three."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import impl
from impl import sleep

# `Any`: items of any type.
CLASSES: list[type[impl.Queue[Any]]] = [impl.Queue, impl.LifoQueue, impl.PriorityQueue]
KIND = pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)


@pytest.mark.parametrize(
    ("kind", "order"),
    [(impl.Queue, [2, 3, 1]), (impl.LifoQueue, [1, 3, 2]), (impl.PriorityQueue, [1, 2, 3])],
    ids=["Queue", "LifoQueue", "PriorityQueue"],
)
def test_order(kind: type[impl.Queue[int]], order: list[int]) -> None:
    """QUEUE-1, QUEUE-28, QUEUE-29."""
    queue = kind()
    for item in (2, 3, 1):
        queue.put_nowait(item)
    assert [queue.get_nowait() for _ in range(3)] == order


@KIND
def test_every_class_counts_bounds_and_waits(kind: type[impl.Queue[Any]]) -> None:
    """asyncio#235: a put that does not count would let join through."""

    async def main() -> tuple[list[int], bool]:
        queue = kind(2)
        got: list[int] = []

        async def puts() -> None:
            for item in range(5):
                await queue.put(item)

        putter = impl.create_task(puts())
        await sleep(0)
        assert (queue.full(), queue.qsize()) == (True, 2)
        with pytest.raises(impl.QueueFull):
            queue.put_nowait(9)
        joiner = impl.create_task(queue.join())
        for _ in range(5):
            got.append(await queue.get())
        await putter
        await sleep(0)
        waited = not joiner.done()
        for _ in range(5):
            queue.task_done()
        await joiner
        with pytest.raises(impl.QueueEmpty):
            queue.get_nowait()
        return sorted(got), waited

    assert impl.run(main()) == ([0, 1, 2, 3, 4], True)


@KIND
def test_shutdown_lets_what_is_there_be_got(kind: type[impl.Queue[Any]]) -> None:
    """QUEUE-30; a second shutdown has no effect."""

    async def main() -> None:
        queue = kind(2)
        queue.put_nowait(1)
        queue.shutdown()
        queue.shutdown()
        assert repr(queue) == f"<{kind.__name__} maxsize=2 items=1 unfinished=1 shut down>"
        with pytest.raises(impl.QueueShutDown):
            queue.put_nowait(2)
        with pytest.raises(impl.QueueShutDown):
            await queue.put(2)
        joiner = impl.create_task(queue.join())
        assert await queue.get() == 1
        with pytest.raises(impl.QueueShutDown):
            queue.get_nowait()
        with pytest.raises(impl.QueueShutDown):
            await queue.get()
        await sleep(0)
        assert not joiner.done()
        queue.task_done()
        await joiner
        with pytest.raises(ValueError, match="too many times"):
            queue.task_done()

    impl.run(main())


@KIND
def test_a_full_queue_that_was_shut_down_says_so(kind: type[impl.Queue[Any]]) -> None:
    """QUEUE-30: the error is not QueueFull, and no task waits."""
    queue = kind(1)
    queue.put_nowait(1)
    queue.shutdown()
    with pytest.raises(impl.QueueShutDown):
        queue.put_nowait(2)
    with pytest.raises(impl.QueueShutDown):
        impl.run(queue.put(2))
    assert queue.qsize() == 1


@KIND
def test_an_immediate_shutdown_throws_away_and_releases_join(kind: type[impl.Queue[Any]]) -> None:
    """QUEUE-31: items being processed are still unfinished."""

    async def main() -> list[bool]:
        queue = kind()
        for item in range(3):
            queue.put_nowait(item)
        await queue.get()
        joiner = impl.create_task(queue.join())
        await sleep(0)
        queue.shutdown(immediate=True)
        assert queue.empty()
        with pytest.raises(impl.QueueShutDown):
            queue.get_nowait()
        await sleep(0)
        seen = [joiner.done()]
        queue.task_done()
        await sleep(0)
        return [*seen, joiner.done()]

    assert impl.run(main()) == [False, True]


@KIND
def test_shutdown_releases_the_waiters(kind: type[impl.Queue[Any]]) -> None:
    """QUEUE-32."""

    async def main() -> None:
        empty, full = kind(), kind(1)
        full.put_nowait(0)
        tasks = [impl.create_task(empty.get()) for _ in range(2)]
        tasks += [impl.create_task(full.put(item)) for item in (1, 2)]
        await sleep(0)
        empty.shutdown()
        full.shutdown()
        for task in tasks:
            with pytest.raises(impl.QueueShutDown):
                await task
        assert full.get_nowait() == 0

    impl.run(main())


def test_a_shut_queue_is_no_cycle_of_references() -> None:
    gc.collect()
    queue: impl.Queue[int] = impl.Queue()
    queue.shutdown()
    del queue
    assert gc.collect() == 0


@KIND
def test_the_errors_are_class_attributes(kind: type[impl.Queue[Any]]) -> None:
    """A bridge uses another runtime's."""

    class Mine(Exception):
        pass

    other = type("Other", (kind,), {"Empty": Mine, "Full": Mine, "ShutDown": Mine})
    queue = other(1)
    with pytest.raises(Mine):
        queue.get_nowait()
    queue.put_nowait(1)
    with pytest.raises(Mine):
        queue.put_nowait(2)
    queue.shutdown(immediate=True)
    with pytest.raises(Mine):
        queue.put_nowait(2)
    with pytest.raises(Mine):
        queue.get_nowait()
