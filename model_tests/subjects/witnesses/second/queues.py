"""Witnesses of the second set of wrong queues."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from typing import Any

from ...witness import Thing, outcome, settle, shows, state
from ...wrong.second import queues as wrong


class _Item:
    """An item that can be referred to weakly."""


@shows(["cancelled", 1, "item"], wrong.QueueLosesAHandedItem)
async def _cancel_the_get_that_an_item_wakes(thing: Thing) -> list[Any]:
    queue = thing()
    getter = asyncio.create_task(queue.get())
    await settle()
    queue.put_nowait("item")
    getter.cancel()
    await settle()
    return [outcome(getter), queue.qsize(), queue.get_nowait()]


@shows(["cancelled", None], wrong.QueueLosesAFreeSlot)
async def _cancel_the_put_that_a_slot_wakes(thing: Thing) -> list[Any]:
    queue = thing(1)
    queue.put_nowait(0)
    first, second = (asyncio.create_task(queue.put(item)) for item in (1, 2))
    await settle()
    queue.get_nowait()
    first.cancel()
    return [await state(first), await state(second)]


@shows(["ValueError", "pending"], wrong.QueueCountsARefusedTaskDone)
async def _join_after_a_task_done_too_many(thing: Thing) -> list[Any]:
    queue = thing()
    error = ""
    try:
        queue.task_done()
    except ValueError as raised:
        error = type(raised).__name__
    queue.put_nowait("item")
    return [error, await state(asyncio.create_task(queue.join()))]


@shows([None, "pending"], wrong.QueueIsJoinedOnlyOnce)
async def _join_twice(thing: Thing) -> list[Any]:
    queue = thing()
    queue.put_nowait("first")
    queue.get_nowait()
    queue.task_done()
    first = await state(asyncio.create_task(queue.join()))
    queue.put_nowait("second")
    return [first, await state(asyncio.create_task(queue.join()))]


@shows("later", wrong.QueueGetRaisesEmpty)
async def _get_what_was_taken_meanwhile(thing: Thing) -> Any:
    queue = thing()
    getter = asyncio.create_task(queue.get())
    await settle()
    queue.put_nowait("first")
    queue.get_nowait()
    await settle()
    queue.put_nowait("later")
    return await state(getter)


@shows(["cancelled", 1], wrong.QueueGetOutlivesItsCancellation)
async def _cancel_a_get_as_an_item_arrives(thing: Thing) -> list[Any]:
    queue = thing()
    getter = asyncio.create_task(queue.get())
    await settle()
    queue.put_nowait("item")
    getter.cancel()
    return [await state(getter), queue.qsize()]


@shows(True, wrong.QueueKeepsItemsThatWereGotten)
async def _item_is_freed(thing: Thing) -> bool:
    queue = thing()
    item = _Item()
    freed = weakref.ref(item)
    queue.put_nowait(item)
    queue.put_nowait("another")
    del item
    queue.get_nowait()
    gc.collect()
    return freed() is None


@shows([1, 2, 3], wrong.PriorityQueueComparesFirstMembers)
async def _order_of_numbers(thing: Thing) -> list[Any]:
    queue = thing()
    for item in (3, 1, 2):
        queue.put_nowait(item)
    return [queue.get_nowait() for _ in range(3)]


@shows([1, 5, 7, 9], wrong.PriorityQueueSortsWhenItIsLonger)
async def _put_after_get(thing: Thing) -> list[Any]:
    queue = thing()
    for item in (7, 1, 5):
        queue.put_nowait(item)
    first = queue.get_nowait()
    queue.put_nowait(9)
    return [first, *[queue.get_nowait() for _ in range(3)]]


@shows(["1", "2", "True"], wrong.LifoQueueRemovesAnEqualItem)
async def _equal_items(thing: Thing) -> list[str]:
    queue = thing()
    for item in (True, 2, 1):
        queue.put_nowait(item)
    return [str(queue.get_nowait()) for _ in range(3)]


if sys.version_info >= (3, 13):

    @shows("QueueShutDown", wrong.QueueShutdownLeavesPutters)
    async def _shut_down_while_a_put_waits(thing: Thing) -> Any:
        queue = thing(1)
        queue.put_nowait(0)
        putter = asyncio.create_task(queue.put(1))
        await settle()
        queue.shutdown()
        return await state(putter)

    @shows(None, wrong.QueueShutdownKeepsUnfinished)
    async def _shut_down_while_a_join_waits(thing: Thing) -> Any:
        queue = thing()
        queue.put_nowait("item")
        joiner = asyncio.create_task(queue.join())
        await settle()
        queue.shutdown(immediate=True)
        return await state(joiner)
