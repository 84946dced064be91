"""Witnesses of wrong/fourth/queues.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, settle, shows, state
from ...wrong.fourth import queues as wrong


def _drained(queue: Any) -> list[Any]:
    return [queue.get_nowait() for _ in range(queue.qsize())]


@shows("put", wrong.QueueThatWakesPutsWhenItIsEmpty)
async def _free_one_slot_of_two(thing: Thing) -> Any:
    queue = thing(2)
    queue.put_nowait("first")
    queue.put_nowait("second")

    async def put() -> str:
        await queue.put("third")
        return "put"

    task = asyncio.create_task(put())
    await settle()
    queue.get_nowait()
    return await state(task)


@shows(("pending", "joined"), wrong.QueueIsJoinedWhenItIsEmpty)
async def _join_before_the_item_is_processed(thing: Thing) -> Any:
    queue = thing()
    queue.put_nowait("item")

    async def join() -> str:
        await queue.join()
        return "joined"

    task = asyncio.create_task(join())
    await settle()
    await queue.get()
    before = await state(task)
    queue.task_done()
    return before, await state(task)


@shows(["late", "early", "bottom"], wrong.LifoQueueOrdersByTheCallOfPut)
async def _add_while_a_put_waits(thing: Thing) -> Any:
    queue = thing(3)
    for item in ("bottom", "middle", "top"):
        queue.put_nowait(item)
    task = asyncio.create_task(queue.put("late"))
    await settle()
    queue.get_nowait()
    queue.get_nowait()
    queue.put_nowait("early")  # in the queue before the put() that was called earlier
    await task
    return _drained(queue)


@shows([1, 2, 3], wrong.PriorityQueueThatPopsTheHeadOfItsHeap)
async def _get_in_order(thing: Thing) -> Any:
    queue = thing()
    for item in (1, 3, 2):
        queue.put_nowait(item)
    return _drained(queue)


@shows(((1, "a"), (1, "a")), wrong.PriorityQueueThatHoldsEqualEntriesOnce)
async def _get_two_equal_entries(thing: Thing) -> Any:
    queue = thing()
    await queue.put((1, "a"))
    await queue.put((1, "a"))

    async def get() -> Any:
        async with asyncio.timeout(1):
            return await queue.get()

    return await ended(get()), await ended(get())
