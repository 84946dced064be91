"""Witnesses of the wrong queues."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, outcome, settle, shows
from ..wrong import queues as wrong

# Any: items, and a queue, asyncio's or a wrong one.


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


@shows((None, 1), wrong.WakesNoPutter)
async def get_nowait_wakes_a_putter(queue_class: Thing) -> Any:
    queue = queue_class(1)
    queue.put_nowait(0)
    putter = asyncio.ensure_future(queue.put(1))
    await settle()
    queue.get_nowait()
    await settle()
    return outcome(putter), queue.qsize()


@shows([3, 2, 1], wrong.LastInStaysInside)
async def last_in_first_out(queue_class: Thing) -> Any:
    queue = queue_class()
    for item in (1, 2, 3):
        queue.put_nowait(item)
    return [queue.get_nowait() for _ in range(3)]


@shows([0, 1, 2, 3, 4], wrong.PriorityBySorting, wrong.PriorityHighestFirst)
async def lowest_first(queue_class: Thing) -> Any:
    queue = queue_class(5)
    for item in (3, 1, 4, 2, 0):
        queue.put_nowait(item)
    return [queue.get_nowait() for _ in range(5)]


@shows(["first", "second"], wrong.AddsLater)
async def put_adds_before_it_returns(queue_class: Thing) -> Any:
    queue = queue_class()
    getters = [asyncio.ensure_future(queue.get()) for _ in range(2)]
    await settle()
    await queue.put("first")
    queue.put_nowait("second")
    await settle()
    return [outcome(getter) for getter in getters]
