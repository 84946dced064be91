"""Witnesses of the queues with wrong joins and shutdowns."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from ..witness import Thing, outcome, settle, shows
from ..wrong import joins as wrong

# Any: items, and a queue, asyncio's or a wrong one.


@shows(["pending", "pending", None], wrong.JoinsWhenEmpty, wrong.CountsAtGet, wrong.JoinMissesANewItem)
async def join_waits_for_every_item(queue_class: Thing) -> Any:
    queue = queue_class()
    queue.put_nowait(1)
    queue.put_nowait(2)
    join = asyncio.ensure_future(queue.join())
    await settle()
    seen = [outcome(join)]
    for _ in range(2):
        queue.get_nowait()
    queue.task_done()
    await settle()
    seen.append(outcome(join))
    if not join.done():
        queue.task_done()
    await settle()
    return [*seen, outcome(join)]


@shows("raises ValueError", wrong.TaskDoneNeverFails)
async def task_done_too_often(queue_class: Thing) -> Any:
    queue = queue_class()
    queue.put_nowait(1)
    queue.task_done()
    queue.task_done()
    return "accepted"


@shows([None, None], wrong.OneJoinerGoesOn)
async def two_joins(queue_class: Thing) -> Any:
    queue = queue_class()
    queue.put_nowait(1)
    joins = [asyncio.ensure_future(queue.join()) for _ in range(2)]
    await settle()
    queue.task_done()
    await settle()
    return [outcome(join) for join in joins]


if sys.version_info >= (3, 13):

    @shows(1, wrong.ShutdownDropsItems)
    async def items_after_shutdown(queue_class: Thing) -> Any:
        queue = queue_class()
        queue.put_nowait(1)
        queue.shutdown()
        return queue.get_nowait()

    @shows("QueueShutDown", wrong.ShutdownLeavesPutters)
    async def putter_at_shutdown(queue_class: Thing) -> Any:
        queue = queue_class(1)
        queue.put_nowait(1)
        putter = asyncio.ensure_future(queue.put(2))
        await settle()
        queue.shutdown()
        await settle()
        return outcome(putter)

    @shows(None, wrong.ShutdownKeepsJoin)
    async def join_after_shutdown(queue_class: Thing) -> Any:
        queue = queue_class()
        queue.put_nowait(1)
        join = asyncio.ensure_future(queue.join())
        await settle()
        queue.shutdown(immediate=True)
        late = asyncio.ensure_future(queue.join())
        await settle()
        return outcome(join) or outcome(late)

    @shows("raises QueueShutDown", wrong.ShutdownLetsPutNowait)
    async def put_after_shutdown(queue_class: Thing) -> Any:
        queue = queue_class()
        queue.shutdown()
        queue.put_nowait(1)
        return queue.qsize()
