"""Witnesses of wrong/fifth/queues.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, settle, shows, state
from ...wrong.fifth import queues as wrong


@shows("item", wrong.QueueThatForgetsTheNextGetter)
async def _cancel_the_first_of_two_getters_with_an_item_there(thing: Thing) -> Any:
    queue = thing()
    first, second = asyncio.create_task(queue.get()), asyncio.create_task(queue.get())
    await settle()
    queue.put_nowait("item")
    first.cancel()
    return await state(second)


@shows("pending", wrong.QueueThatLooksForRoomOnce)
async def _take_the_room_of_a_waiting_put(thing: Thing) -> Any:
    queue = thing(1)
    queue.put_nowait("first")
    putter = asyncio.create_task(queue.put("second"))
    await settle()
    queue.get_nowait()
    queue.put_nowait("quicker")
    return await state(putter)


@shows(("pending", None), wrong.QueueThatIsJoinedWhenEmpty)
async def _join_during_the_work_on_the_last_item(thing: Thing) -> Any:
    queue = thing()
    queue.put_nowait("item")
    join = asyncio.create_task(queue.join())
    await queue.get()
    during = await state(join)
    queue.task_done()
    return during, await state(join)


@shows(1, wrong.LifoQueueWithANegativeSize)
async def _put_into_a_queue_of_negative_size(thing: Thing) -> Any:
    queue = thing(-1)
    queue.put_nowait("item")
    return queue.qsize()


@shows([1, 2, 3], wrong.PriorityQueueThatTakesAHeapForSorted)
async def _get_all_entries(thing: Thing) -> Any:
    queue = thing()
    for entry in (1, 3, 2):
        await queue.put(entry)
    return [await queue.get() for _ in range(3)]
