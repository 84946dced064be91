"""Witnesses of wrong queues."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, outcome, settle, shows, state
from ..wrong import queues as wrong
from ..wrong.fourth import queues as fourth
from ..wrong.second import queues as second
from ..wrong.third import queues as third

# Any: items, and a queue, asyncio's or a wrong one.


def drained(queue: Any) -> list[Any]:
    return [queue.get_nowait() for _ in range(queue.qsize())]


@shows(1, wrong.CountsPutters)
async def the_slot_is_taken_again(queue_class: Thing) -> Any:
    queue = queue_class(1)
    queue.put_nowait(0)
    putter = asyncio.ensure_future(queue.put(1))
    await settle()
    size = queue.qsize()
    queue.get_nowait()
    queue.put_nowait(2)
    await settle()
    putter.cancel()
    return max(size, queue.qsize())


@shows([0, 1, 2, 3, 4], wrong.PriorityHighestFirst)
async def lowest_first(queue_class: Thing) -> Any:
    queue = queue_class(5)
    for item in (3, 1, 4, 2, 0):
        queue.put_nowait(item)
    return drained(queue)


@shows([1, 5, 7, 9], second.PriorityQueueSortsWhenItIsLonger)
async def put_after_get(queue_class: Thing) -> Any:
    queue = queue_class()
    for item in (7, 1, 5):
        queue.put_nowait(item)
    first = queue.get_nowait()
    queue.put_nowait(9)
    return [first, *drained(queue)]


@shows(["first", "second"], wrong.AddsLater)
async def put_adds_before_it_returns(queue_class: Thing) -> Any:
    queue = queue_class()
    getters = [asyncio.ensure_future(queue.get()) for _ in range(2)]
    await settle()
    await queue.put("first")
    queue.put_nowait("second")
    await settle()
    return [outcome(getter) for getter in getters]


@shows([2, 1], third.LifoQueueHandsTheItemToAWaitingGet)
async def put_two_while_a_get_waits(queue_class: Thing) -> Any:
    queue = queue_class()
    getter = asyncio.create_task(queue.get())
    await settle()
    queue.put_nowait(1)
    queue.put_nowait(2)
    return [await state(getter), queue.get_nowait()]


@shows(["late", "early", "bottom"], fourth.LifoQueueOrdersByTheCallOfPut)
async def add_while_a_put_waits(queue_class: Thing) -> Any:
    queue = queue_class(3)
    for item in ("bottom", "middle", "top"):
        queue.put_nowait(item)
    task = asyncio.create_task(queue.put("late"))
    await settle()
    queue.get_nowait()
    queue.get_nowait()
    queue.put_nowait("early")  # in the queue before the put() that was called earlier
    await task
    return drained(queue)


@shows(None, fourth.QueueThatWakesPutsWhenItIsEmpty)
async def free_one_slot_of_two(queue_class: Thing) -> Any:
    queue = queue_class(2)
    queue.put_nowait("first")
    queue.put_nowait("second")
    task = asyncio.create_task(queue.put("third"))
    await settle()
    queue.get_nowait()
    return await state(task)


@shows(["cancelled", None], second.QueueLosesAFreeSlot)
async def cancel_the_put_that_a_slot_wakes(queue_class: Thing) -> Any:
    queue = queue_class(1)
    queue.put_nowait(0)
    first, second = (asyncio.create_task(queue.put(item)) for item in (1, 2))
    await settle()
    queue.get_nowait()
    first.cancel()
    return [await state(first), await state(second)]
