"""Programs that show the documentation's sentences about Queue; a subject without the method leaves its out."""

import asyncio
from typing import Any

import pytest

from .programs import REST, Program, at_each_turn, cancelled_at, end, turns


async def queue_is_fifo(m: Any) -> None:
    queue, got = m.Queue(), []
    for item in range(5):
        await queue.put(item)
    assert queue.qsize() == 5
    assert not queue.empty()
    assert not queue.full()
    for _ in range(5):
        got.append(await queue.get())
    assert got == [*range(5)]
    assert queue.empty()


async def queue_is_bounded(m: Any) -> None:
    queue, put = m.Queue(2), []

    async def putter(item: int) -> None:
        await queue.put(item)
        put.append(item)

    tasks = [asyncio.create_task(putter(item)) for item in range(4)]
    await turns()
    assert put == [0, 1]
    assert queue.full()
    assert queue.qsize() == queue.maxsize == 2
    got = []
    for _ in range(4):
        got.append(await queue.get())
        await turns()
        assert queue.qsize() <= 2
    assert sorted(got) == sorted(put) == [0, 1, 2, 3]
    assert got[:2] == [0, 1]
    await end(tasks)


async def queue_get_waits(m: Any) -> None:
    queue = m.Queue()
    tasks = [asyncio.create_task(queue.get()) for _ in range(2)]
    await turns()
    assert not any(task.done() for task in tasks)
    await queue.put("a")
    await queue.put("b")
    assert sorted(await asyncio.gather(*tasks)) == ["a", "b"]


async def queue_nowait(m: Any) -> None:
    queue = m.Queue(1)
    with pytest.raises(asyncio.QueueEmpty):
        queue.get_nowait()
    queue.put_nowait("a")
    with pytest.raises(asyncio.QueueFull):
        queue.put_nowait("b")
    assert queue.get_nowait() == "a"
    with pytest.raises(asyncio.QueueEmpty):
        queue.get_nowait()


async def queue_joins(m: Any) -> None:
    queue = m.Queue()
    await queue.join()
    for item in range(2):
        await queue.put(item)
    joined = asyncio.create_task(queue.join())
    for _ in range(2):
        await turns()
        assert not joined.done()
        await queue.get()
        await turns()
        assert not joined.done()
        queue.task_done()
    await joined
    with pytest.raises(ValueError, match=r".*"):
        queue.task_done()


@at_each_turn((0, 1), range(2))
async def queue_get_cancels(m: Any, turn: int, maxsize: int, victim: int) -> None:
    """A getter is cancelled at each turn: each item is received by one that was not, oldest first."""
    queue, got = m.Queue(maxsize), list[int]()

    async def getter() -> None:
        got.append(await queue.get())

    async def putter() -> None:
        await turns(2)
        for item in range(3):
            await queue.put(item)

    tasks = [asyncio.create_task(getter()) for _ in range(2)]
    tasks.append(asyncio.create_task(putter()))
    await cancelled_at(turn, tasks[victim])
    rest = [asyncio.create_task(getter()) for _ in range(3 - len(got))]
    await turns(2 * REST)
    assert sorted(got) == [0, 1, 2]
    assert queue.empty()
    await end([*tasks, *rest])


@at_each_turn(range(2))
async def queue_put_cancels(m: Any, turn: int, victim: int) -> None:
    """A putter is cancelled at each turn: its item is received once if `put` returned, else not."""
    queue, put = m.Queue(1), list[int]()
    await queue.put(-1)

    async def putter(item: int) -> None:
        await queue.put(item)
        put.append(item)

    async def getter() -> list[int]:
        await turns(2)
        return [await queue.get() for _ in range(2)]

    tasks = [asyncio.create_task(putter(item)) for item in range(2)]
    getting = asyncio.create_task(getter())
    await cancelled_at(turn, tasks[victim])
    await turns(REST)
    assert getting.done(), "an item was lost"
    got = getting.result()
    while not queue.empty():
        got.append(await queue.get())
        await turns(REST)
    assert got[0] == -1
    assert sorted(got[1:]) == sorted(put)
    assert 1 - victim in put
    await end(tasks)


PROGRAMS: dict[str, list[Program]] = {
    "Queue": [
        *(queue_is_fifo, queue_is_bounded, queue_get_waits, queue_nowait, queue_joins),
        *(queue_get_cancels, queue_put_cancels),
    ]
}
#: The methods that a program needs; it is not run for a subject that lacks one.
NEEDS = {"queue_nowait": ("put_nowait", "get_nowait"), "queue_joins": ("join", "task_done")}
