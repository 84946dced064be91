"""Witnesses of wrong/fourth/queues.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows, state
from ...wrong.fourth import queues as wrong


def _drained(queue: Any) -> list[Any]:
    return [queue.get_nowait() for _ in range(queue.qsize())]


@shows((True, "pending"), wrong.QueueThatHoldsOneTooMany)
async def _put_into_a_full_queue(thing: Thing) -> Any:
    queue = thing(1)
    queue.put_nowait("first")
    return queue.full(), await state(asyncio.create_task(queue.put("second")))


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


@shows(("cancelled", "item"), wrong.QueueThatWakesACancelledWaiter)
async def _put_when_the_first_get_is_being_cancelled(thing: Thing) -> Any:
    queue = thing()
    first, second = asyncio.create_task(queue.get()), asyncio.create_task(queue.get())
    await settle()
    first.cancel()
    queue.put_nowait("item")
    await settle()
    return outcome(first), outcome(second)


@shows((None, None), wrong.QueueThatReleasesTheLastJoin)
async def _join_twice(thing: Thing) -> Any:
    queue = thing()
    queue.put_nowait("item")
    first, second = asyncio.create_task(queue.join()), asyncio.create_task(queue.join())
    await settle()
    queue.get_nowait()
    queue.task_done()
    await settle()
    return outcome(first), outcome(second)


@shows(("cancelled", []), wrong.QueueThatAddsTheItemOfACancelledPut)
async def _cancel_a_put_that_was_woken(thing: Thing) -> Any:
    queue = thing(1)
    queue.put_nowait("first")
    task = asyncio.create_task(queue.put("second"))
    await settle()
    queue.get_nowait()
    task.cancel()
    return await state(task), _drained(queue)


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
