"""Harnesses of anyio."""

import asyncio
from typing import Any

import anyio
from anyio.functools import lru_cache

from ..harness import harness_of

PLACES = 2


@harness_of(
    "anyio",
    cancel="read",
    finds={
        "AssertionError: page *KeyError*": "anyio_cache_key",
        "AssertionError: the pages * are loaded again*": "anyio_cache_place",
    },
)
async def anyio_cache() -> list[object]:
    """A cached function serves each caller that is not cancelled, and keeps as many values as it has places."""
    loads: list[int] = []

    @lru_cache(maxsize=PLACES)
    async def load(page: int) -> int:
        loads.append(page)
        await asyncio.sleep(0.001)
        await asyncio.sleep(0.001)
        return page

    async def read(page: int) -> int:
        result: int = await load(page)
        return result

    # As many other pages as there are places are loaded while the first page is.
    pages = (0, 0, 2, 3, 0)
    readers = [asyncio.create_task(read(page)) for page in pages]
    results = await asyncio.gather(*readers, return_exceptions=True)
    for page, result in zip(pages, results, strict=True):
        assert result == page or isinstance(result, asyncio.CancelledError), f"page {page}: {result!r}"
    for page in range(PLACES):
        await load(page)
    loads.clear()
    for page in range(PLACES):
        await load(page)
    assert not loads, f"the pages {loads} are loaded again, and there are places for them"
    return [result for result in results if isinstance(result, int)]


class LimitedRoom:
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


async def use(door: Any, room: LimitedRoom, scope: anyio.CancelScope) -> None:
    with scope:
        async with door:
            await room.stay()


async def wait(condition: anyio.Condition, tickets: list[int], scope: anyio.CancelScope, used: list[int]) -> None:
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


@harness_of("anyio", cancel="give_up")
async def anyio_locks() -> int:
    """A lock, semaphore, limiter and condition serve the next task, whichever scope of a waiter is cancelled."""
    doors = [(anyio.Lock(), 1), (anyio.Semaphore(1, fast_acquire=True), 1), (anyio.CapacityLimiter(1), 1)]
    condition = anyio.Condition()
    tickets: list[int] = []
    used: list[int] = []
    scopes: list[anyio.CancelScope] = []
    async with anyio.create_task_group() as group:
        for door, limit in doors:
            room = LimitedRoom(limit)
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
        await use(door, LimitedRoom(limit), anyio.CancelScope())
    return len(used)


ORDERS = 3


async def work(orders: Any, begun: list[int]) -> None:
    async with orders:
        async for order in orders:
            begun.append(order)
            await anyio.sleep(0.01)


@harness_of("anyio", cancel="work", finds={"AssertionError: [[]*": "anyio_stream"})
async def anyio_native() -> tuple[list[int], int]:
    """An order that a worker was given is worked on or left, though workers are cancelled as asyncio's tasks."""
    sender, receiver = anyio.create_memory_object_stream[int](ORDERS)
    begun: list[int] = []
    async with sender, receiver:
        workers = [asyncio.create_task(work(receiver.clone(), begun)) for _ in range(2)]
        for order in range(ORDERS):
            await asyncio.sleep(0.02)
            await sender.send(order)
        await asyncio.sleep(0.1)
        left = sender.statistics().current_buffer_used
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    assert len(begun) + left == ORDERS, f"[{len(begun)}] of {ORDERS} orders were begun, {left} are left"
    return begun, left


ITEMS = 3


async def send(stream: Any, item: int, scope: anyio.CancelScope, sent: list[int]) -> None:
    with scope:
        await stream.send(item)
        sent.append(item)


async def receive(stream: Any, scope: anyio.CancelScope, received: list[int]) -> None:
    with scope:
        received.append(await stream.receive())


@harness_of(
    "anyio",
    cancel="give_up",
    finds={"AssertionError: an item was received, and its send was cancelled": "anyio_send"},
)
async def anyio_streams() -> tuple[list[int], int]:
    """An item that was sent is received once or left, though scopes of senders and receivers are cancelled."""
    sender, receiver = anyio.create_memory_object_stream[int](1)
    sent: list[int] = []
    received: list[int] = []
    scopes = [anyio.CancelScope() for _ in range(2 * ITEMS)]
    tasks = [asyncio.create_task(send(sender, item, scopes[item], sent)) for item in range(ITEMS)]
    tasks += [asyncio.create_task(receive(receiver, scope, received)) for scope in scopes[ITEMS:]]
    tasks.append(asyncio.create_task(give_up([scopes[3], scopes[1], scopes[4]])))
    await asyncio.sleep(0.01)
    left = []
    while sender.statistics().current_buffer_used or sender.statistics().tasks_waiting_send:
        left.append(receiver.receive_nowait())
        await asyncio.sleep(0.01)
    arrived = received + left
    assert set(sent) <= set(arrived), f"sent {sent}, received {received}, left {left}"
    assert sorted(arrived) == sorted(set(arrived)), f"received twice: {received}, left {left}"
    assert len(arrived) == len(sent), "an item was received, and its send was cancelled"
    sender.close()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        assert result is None or isinstance(result, anyio.EndOfStream), f"{result!r}"
    receiver.close()
    return received, len(left)
