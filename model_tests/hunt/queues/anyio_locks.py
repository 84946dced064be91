"""anyio: a lock, semaphore, limiter and condition serve the next task, whichever scope of a waiter is cancelled."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio

from ..harness import Harness


class Room:
    """A room with a limit."""

    def __init__(self, limit: int) -> None:
        self.inside, self.limit = 0, limit

    async def stay(self) -> None:
        self.inside += 1
        try:
            assert self.inside <= self.limit, f"{self.inside} are inside, and the limit is {self.limit}"
            await anyio.sleep(0.001)
        finally:
            self.inside -= 1


async def use(door: Any, room: Room, scope: anyio.CancelScope) -> None:
    with scope:
        async with door:
            await room.stay()


async def wait(
    condition: anyio.Condition, tickets: list[int], scope: anyio.CancelScope, used: list[int]
) -> None:
    with scope:
        async with condition:
            while not tickets:
                await condition.wait()
            used.append(tickets.pop())


async def give_up(scopes: list[anyio.CancelScope]) -> None:
    # anyio wants its scopes to be cancelled, not its tasks: each cancel of this task does it to one scope.
    for scope in scopes:
        try:
            for _ in range(6):
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            scope.cancel()


async def main() -> int:
    doors = [(anyio.Lock(), 1), (anyio.Semaphore(1, fast_acquire=True), 1), (anyio.CapacityLimiter(1), 1)]
    condition = anyio.Condition()
    tickets: list[int] = []
    used: list[int] = []
    scopes: list[anyio.CancelScope] = []
    async with anyio.create_task_group() as group:
        for door, limit in doors:
            room = Room(limit)
            mine = [anyio.CancelScope() for _ in range(3)]
            for scope in mine:
                group.start_soon(use, door, room, scope)
            scopes.append(mine[1])
        mine = [anyio.CancelScope() for _ in range(2)]
        for scope in mine:
            group.start_soon(wait, condition, tickets, scope, used)
        await asyncio.wait([asyncio.create_task(give_up([mine[0], *scopes]))])
        for number in range(2):
            async with condition:
                tickets.append(number)
                condition.notify()
            await anyio.sleep(0.01)
        # A waiter leaves its ticket if its scope was cancelled.
        assert len(used) == 2 - mine[0].cancelled_caught, f"{used}, {tickets}"
    for door, limit in doors:
        await use(door, Room(limit), anyio.CancelScope())
    return len(used)


HARNESS = Harness("anyio", main, cancel="give_up")
