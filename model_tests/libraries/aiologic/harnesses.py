"""Harnesses of aiologic."""

import asyncio
from typing import Any

import aiologic

from ..harness import harness_of


class RoomForOne:
    """A room for one."""

    def __init__(self) -> None:
        self.inside = 0

    async def stay(self) -> None:
        self.inside += 1
        try:
            assert self.inside == 1, "two are inside"
            await asyncio.sleep(0.001)
        finally:
            self.inside -= 1


async def use(door: Any, room: RoomForOne) -> None:
    async with door:
        await room.stay()


async def put(queue: Any, item: int, put_in: list[int]) -> None:
    await queue.async_put(item)
    put_in.append(item)


async def get(queue: Any, got: list[int]) -> None:
    got.append(await queue.async_get())


@harness_of("aiologic", cancel="use,put,get")
async def aiologic_doors() -> list[int]:
    """A lock, semaphore, limiter, condition and queue serve the next task, whichever waiter is cancelled."""
    doors = [
        aiologic.Lock(),
        aiologic.Semaphore(1),
        aiologic.BoundedSemaphore(1),
        aiologic.CapacityLimiter(1),
    ]
    queue = aiologic.Queue(1)
    put_in: list[int] = []
    got: list[int] = []
    tasks: list[asyncio.Task[None]] = []
    for door in doors:
        room = RoomForOne()
        tasks += [asyncio.create_task(use(door, room)) for _ in range(3)]
    tasks += [asyncio.create_task(get(queue, got)) for _ in range(2)]
    tasks += [asyncio.create_task(put(queue, item, put_in)) for item in range(3)]
    await asyncio.sleep(0.01)
    left: list[int] = []
    while queue.getting == 0 and len(queue):
        await get(queue, left)
        await asyncio.sleep(0.01)
    assert sorted(got + left) == sorted(put_in), f"put {put_in}, got {got}, left {left}"
    for _ in range(queue.getting):  # getters that lost their putters to a cancel
        await put(queue, 3, put_in)
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        assert result is None or isinstance(result, asyncio.CancelledError), f"{result!r}"
    for door in doors:
        await use(door, RoomForOne())
    return got
