"""Programs of asyncio's locks and queues: the order in which tasks get a lock, a permit, an item or a wake-up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from .registry import Programs

# `Any`: see registry.py.

program: Final = Programs()


def tasks(run: Callable[[int], Coroutine[Any, Any, Any]], count: int = 6) -> list[asyncio.Task[Any]]:
    return [asyncio.create_task(run(number)) for number in range(count)]


@program
async def lock() -> Any:
    lock, log = asyncio.Lock(), []

    async def hold(number: int) -> None:
        for _ in range(3):
            async with lock:
                log.append(number)
                await asyncio.sleep(0.01 * (number % 2))

    await asyncio.gather(*tasks(hold))
    return log


@program
async def lock_whose_waiters_are_cancelled() -> Any:
    lock, log = asyncio.Lock(), []

    async def hold(number: int) -> None:
        async with lock:
            log.append(number)
            await asyncio.sleep(0)

    async with lock:
        waiting = tasks(hold, 8)
        await asyncio.sleep(0)
        for task in set(waiting[::3]):
            task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    return log


@program
async def semaphore() -> Any:
    semaphore, log = asyncio.Semaphore(2), []

    async def work(number: int) -> None:
        async with semaphore:
            log.append(number)
            await asyncio.sleep(number % 3 / 100)

    await asyncio.gather(*tasks(work, 9))
    return log


@program
async def bounded_semaphore() -> Any:
    semaphore, log = asyncio.BoundedSemaphore(3), []

    async def work(number: int) -> None:
        async with semaphore, asyncio.timeout(0.05 if number % 2 else None):
            try:
                await asyncio.sleep(0.06)
            finally:
                log.append(number)

    ended = await asyncio.gather(*tasks(work), return_exceptions=True)
    return [type(each).__name__ for each in ended], log


@program
async def event() -> Any:
    event, log = asyncio.Event(), []

    async def wait(number: int) -> None:
        await event.wait()
        log.append(number)
        await asyncio.sleep(0)
        log.append(-number)

    waiting = tasks(wait)
    await asyncio.sleep(1)
    event.set()
    await asyncio.wait(set(waiting))
    return log


@program
async def condition() -> Any:
    condition, log = asyncio.Condition(), []

    async def wait(number: int) -> None:
        async with condition:
            await condition.wait()
            log.append(number)

    waiting = tasks(wait)
    await asyncio.sleep(0)
    for count in (1, 2, 6):
        async with condition:
            condition.notify(count)
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    return log


@program
async def barrier() -> Any:
    barrier, log = asyncio.Barrier(3), []

    async def arrive(number: int) -> None:
        log.append((number, await barrier.wait()))

    await asyncio.gather(*tasks(arrive))
    return log


@program
async def queue_with_workers() -> Any:
    queue: asyncio.Queue[int] = asyncio.Queue()
    log = []

    async def work(number: int) -> None:
        while True:
            item = await queue.get()
            log.append((number, item))
            await asyncio.sleep(0)
            queue.task_done()

    workers = tasks(work, 3)
    for item in range(12):
        queue.put_nowait(item)
    await queue.join()
    for worker in set(workers):
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    return log


@program
async def bounded_queue() -> Any:
    queue: asyncio.Queue[tuple[int, int]] = asyncio.Queue(2)

    async def put(number: int) -> None:
        for item in range(4):
            await queue.put((number, item))

    producers = tasks(put, 3)
    got = [await queue.get() for _ in range(12)]
    await asyncio.gather(*producers)
    return got


@program
async def priority_queue() -> Any:
    queue: asyncio.PriorityQueue[tuple[int, int]] = asyncio.PriorityQueue(3)

    async def put(number: int) -> None:
        for item in range(3):
            await queue.put((item, number))

    putting = tasks(put)
    got = [await queue.get() for _ in range(18)]
    await asyncio.gather(*putting)
    return got


@program
async def last_in_first_out() -> Any:
    queue: asyncio.LifoQueue[int] = asyncio.LifoQueue()

    async def put(number: int) -> None:
        await asyncio.sleep(0)
        await queue.put(number)

    async with asyncio.TaskGroup() as group:
        for number in range(5):
            group.create_task(put(number))
        return [await queue.get() for _ in range(5)]


@program
async def getters_that_are_cancelled() -> Any:
    queue: asyncio.Queue[int] = asyncio.Queue()
    log: list[Any] = []

    async def get(number: int) -> None:
        try:
            log.append((number, await queue.get()))
        except asyncio.CancelledError:
            log.append(number)

    getting = tasks(get, 4)
    await asyncio.sleep(0)
    queue.put_nowait(1)
    getting[0].cancel()
    queue.put_nowait(2)
    await asyncio.sleep(1)
    for task in getting:
        task.cancel()
    await asyncio.gather(*getting)
    return [*log, queue.qsize()]
