"""tornado: when a waiter gives up by a timeout of tornado's own, a lock serves the next, and a queue loses no item."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from tornado import locks, queues
from tornado.util import TimeoutError as TornadoTimeout

from ..harness import Harness

USERS = 4
ITEMS = 3


class Room:
    """A room for one."""

    def __init__(self) -> None:
        self.inside = 0


async def use(lock: Any, room: Room, seconds: float) -> str:
    try:
        with await lock.acquire(timeout=timedelta(seconds=seconds)):
            room.inside += 1
            assert room.inside == 1, "two are inside"
            await asyncio.sleep(0.01)
            room.inside -= 1
    except TornadoTimeout:
        return "too late"
    return "used"


async def wait(condition: locks.Condition, seconds: float) -> bool:
    return await condition.wait(timeout=timedelta(seconds=seconds))


async def use_locks() -> int:
    outcomes = []
    for lock in (locks.Lock(), locks.Semaphore(1), locks.BoundedSemaphore(1)):
        room = Room()
        seconds = (0.005 * number for number in range(1, USERS + 1))
        users = [asyncio.create_task(use(lock, room, second)) for second in seconds]
        outcomes += await asyncio.gather(*users)
        assert await use(lock, room, 1) == "used", "the lock is free, and its next user waits"
    condition = locks.Condition()
    waiters = [asyncio.create_task(wait(condition, second)) for second in (0.01, 0.02, 5)]
    await asyncio.sleep(0.01)
    # Some have given up: the notify is for one that has not.
    last = condition.wait(timeout=timedelta(seconds=100))
    for _ in range(len(waiters) + 1):
        condition.notify()
    assert await last, "the condition was notified as often as it has waiters, and one waits"
    notified = await asyncio.gather(*waiters)
    return outcomes.count("used") + sum(notified)


async def put(queue: Any, item: int, put_in: list[int]) -> None:
    try:
        await queue.put(item, timeout=timedelta(seconds=0.01 * item + 0.01))
    except TornadoTimeout:
        return
    put_in.append(item)


async def get(queue: Any, seconds: float, got: list[int]) -> None:
    await asyncio.sleep(seconds)
    try:
        item = await queue.get(timeout=timedelta(seconds=seconds))
    except TornadoTimeout:
        return
    got.append(item)
    queue.task_done()


async def use_queue() -> tuple[list[int], int]:
    queue: queues.Queue[int] = queues.Queue(1)
    put_in: list[int] = []
    got: list[int] = []
    tasks = [asyncio.create_task(put(queue, item, put_in)) for item in range(ITEMS)]
    tasks += [asyncio.create_task(get(queue, seconds, got)) for seconds in (0.001, 0.01, 0.02)]
    await asyncio.gather(*tasks)
    left: list[int] = []
    while queue.qsize():
        await get(queue, 1, left)
    assert sorted(got + left) == sorted(put_in), f"put {put_in}, got {got}, left {left}"
    await queue.join()
    await put(queue, ITEMS, put_in)
    await get(queue, 1, left)
    assert ITEMS in left, "the queue is used again"
    return got, len(left)


async def main() -> tuple[int, tuple[list[int], int]]:
    return await use_locks(), await use_queue()


HARNESS = Harness("tornado", main)
