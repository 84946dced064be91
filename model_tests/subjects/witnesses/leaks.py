"""Witnesses of what keeps objects that it no longer needs."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable
from typing import Any

from ..witness import Thing, ended, settle, shows
from ..wrong import leaks as wrong

# Any: what is made, asyncio's or a wrong one.


class Thingy:
    """An object that can be referred to weakly."""


def alive(reference: Callable[[], object | None]) -> bool:
    """Return whether an object is still kept, once garbage has been collected."""
    gc.collect()
    return reference() is not None


@shows(False, wrong.KeepsFinishedTasks)
async def a_finished_task(task_class: Thing) -> Any:
    task = task_class(asyncio.sleep(0))
    await task
    reference = weakref.ref(task)
    del task
    await settle()
    return alive(reference)


@shows(False, wrong.KeepsItsCallbacks)
async def a_callback_of_a_done_future(future_class: Thing) -> Any:
    thing = Thingy()
    reference = weakref.ref(thing)
    future = future_class()
    future.add_done_callback(lambda future, thing=thing: None)
    del thing
    future.set_result(None)
    await settle()
    return alive(reference)


@shows(False, wrong.KeepsWhatItAwaited)
async def a_future_that_was_awaited(task_class: Thing) -> Any:
    loop = asyncio.get_running_loop()
    references: list[Callable[[], object | None]] = []

    async def main() -> None:
        future = loop.create_future()
        references.append(weakref.ref(future))
        loop.call_soon(future.set_result, None)
        await future
        del future
        await settle(100)

    task = task_class(main())
    await settle()
    kept = alive(references[0])
    await task
    return kept


async def cancelled_waiters(wait: Callable[[], Any]) -> int:
    """Start waiters, cancel them, and return the number of futures that this left behind."""

    def count() -> int:
        gc.collect()
        return sum(isinstance(kept, asyncio.Future) and kept.cancelled() for kept in gc.get_objects())

    before = count()
    for _ in range(10):
        task = asyncio.ensure_future(wait())
        await settle(2)
        task.cancel()
        await ended(task)
        del task
        await settle(2)
    return count() - before


@shows(0, wrong.EventKeepsTheCancelled)
async def waiters_of_an_event(event_class: Thing) -> Any:
    event = event_class()
    return await cancelled_waiters(event.wait)


@shows(0, wrong.QueueKeepsTheCancelled)
async def getters_of_a_queue(queue_class: Thing) -> Any:
    queue = queue_class()
    return await cancelled_waiters(queue.get)


@shows(0, wrong.LockKeepsTheCancelled)
async def waiters_of_a_lock(lock_class: Thing) -> Any:
    lock = lock_class()
    await lock.acquire()
    return await cancelled_waiters(lock.acquire)


@shows(False, wrong.QueueKeepsItems)
async def an_item_that_was_fetched(queue_class: Thing) -> Any:
    queue = queue_class()
    queue.put_nowait(Thingy())
    reference = weakref.ref(queue.get_nowait())
    return alive(reference)


@shows(False, wrong.GroupKeepsTasks)
async def a_finished_task_of_a_group(group_class: Thing) -> Any:
    async with group_class() as group:
        reference = weakref.ref(group.create_task(asyncio.sleep(0)))
        await settle()
        return alive(reference)


@shows(0, wrong.wait_leaves_its_callbacks)
async def callbacks_of_wait(wait: Thing) -> Any:
    future: Any = asyncio.futures._PyFuture()  # type: ignore[attr-defined]  # it shows its callbacks
    for _ in range(5):
        await wait([future], timeout=0)
    return len(future._callbacks)


@shows(False, wrong.gather_keeps_results)
async def a_result_of_gather(gather: Thing) -> Any:
    async def make() -> Thingy:
        return Thingy()

    results = await gather(make())
    reference = weakref.ref(results[0])
    del results
    await settle()
    return alive(reference)
