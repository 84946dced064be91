"""Witnesses of what keeps objects that it no longer needs."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

from ..witness import Thing, ended, settle, shows
from ..wrong import leaks as wrong
from ..wrong.second import queues
from ..wrong.third import leaks as third

# Any: what is made, asyncio's or a wrong one.


class Weak:
    """An object that can be referred to weakly."""

    def __call__(self, *_: Any) -> bool:
        return False


async def gone(reference: weakref.ref[Weak]) -> bool:
    await settle()
    gc.collect()
    return reference() is None


def cancelled() -> int:
    """Return the number of cancelled futures that are alive."""
    gc.collect()
    return sum(isinstance(kept, asyncio.Future) and kept.cancelled() for kept in gc.get_objects())


@shows(0, wrong.EventKeepsTheCancelled, wrong.QueueKeepsTheCancelled, wrong.LockKeepsTheCancelled)
async def waiters_that_are_cancelled(thing_class: Thing) -> Any:
    thing = thing_class()
    if hasattr(thing, "acquire"):
        await thing.acquire()
    wait = next(getattr(thing, name) for name in ("acquire", "get", "wait") if hasattr(thing, name))
    before = cancelled()
    for _ in range(10):
        task = asyncio.ensure_future(wait())
        await settle(2)
        task.cancel()
        await ended(task)
        del task
        await settle(2)
    return cancelled() - before


@shows(True, queues.QueueKeepsItemsThatWereGotten)
async def item_is_freed(queue_class: Thing) -> Any:
    queue, item = queue_class(), Weak()
    reference = weakref.ref(item)
    queue.put_nowait(item)
    queue.put_nowait("another")
    del item
    queue.get_nowait()
    return await gone(reference)


@shows((1, True), third.FutureThatOnlyMarksRemovedCallbacks)
async def remove_a_callback(future_class: Thing) -> Any:
    future, callback = future_class(), Weak()
    reference = weakref.ref(callback)
    future.add_done_callback(callback)
    removed = future.remove_done_callback(callback)
    del callback
    return removed, await gone(reference)


@shows(("CancelledError", True), third.TaskThatKeepsItsCancelledError)
async def cancel_a_task_with_a_local_object(task_class: Thing) -> Any:
    references = []

    async def work() -> None:
        local = Weak()
        references.append(weakref.ref(local))
        await asyncio.sleep(3600)

    task = task_class(work())
    await settle()
    task.cancel()
    return await ended(task), await gone(references[0])
