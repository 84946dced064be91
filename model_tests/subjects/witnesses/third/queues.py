"""Witnesses of the wrong queues."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from ...witness import Thing, settle, shows, state
from ...wrong.third import queues as wrong


@shows("joined", wrong.QueueJoinLooksAtTheCountAgain)
async def _put_just_after_the_last_task_done(thing: Thing) -> Any:
    queue = thing()
    queue.put_nowait(1)
    joiner = asyncio.create_task(queue.join())
    await settle()
    queue.get_nowait()
    queue.task_done()
    queue.put_nowait(2)
    return "joined" if await state(joiner) is None else "pending"


@shows([(0, "z"), (1, "a"), (1, "b")], wrong.PriorityQueueOrdersEqualNumbersByAge)
async def _put_equal_numbers(thing: Thing) -> Any:
    queue = thing()
    for entry in [(1, "b"), (1, "a"), (0, "z")]:
        queue.put_nowait(entry)
    return [await queue.get() for _ in range(3)]


@shows([2, 1], wrong.LifoQueueHandsTheItemToAWaitingGet)
async def _put_two_while_a_get_waits(thing: Thing) -> Any:
    queue = thing()
    getter = asyncio.create_task(queue.get())
    await settle()
    queue.put_nowait(1)
    queue.put_nowait(2)
    return [await state(getter), queue.get_nowait()]


if sys.version_info >= (3, 13):

    @shows(["pending", None], wrong.QueueShutdownForgetsTheWorkInHand)
    async def _shut_down_while_an_item_is_worked_on(thing: Thing) -> Any:
        queue = thing()
        queue.put_nowait(1)
        queue.put_nowait(2)
        queue.get_nowait()
        joiner = asyncio.create_task(queue.join())
        await settle()
        queue.shutdown(immediate=True)
        before = await state(joiner)
        queue.task_done()
        return [before, await state(joiner)]

    @shows(["QueueShutDown", "QueueShutDown"], wrong.QueueShutdownWakesOneGetAndOnePut)
    async def _shut_down_while_two_wait(thing: Thing) -> Any:
        queue = thing()
        getters = [asyncio.create_task(queue.get()) for _ in range(2)]
        await settle()
        queue.shutdown()
        return [await state(getter) for getter in getters]
