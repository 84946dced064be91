"""Witnesses of wrong/fifth/timeouts.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, shows
from ...wrong.fifth import timeouts as wrong


@shows(("expired", 0), wrong.timeout_leaves_its_request)
async def _count_requests_after_the_block(thing: Thing) -> Any:
    task: Any = asyncio.current_task()
    try:
        async with thing(1):
            await asyncio.sleep(3600)
    except TimeoutError:
        return "expired", task.cancelling()


@shows("TimeoutError", wrong.timeout_at_counts_from_now)
async def _wait_beyond_a_time(thing: Thing) -> Any:
    async def work() -> None:
        async with thing(asyncio.get_running_loop().time() + 1):
            await asyncio.sleep(10)

    await asyncio.sleep(100)  # now the time is not 0
    return await ended(work())


@shows((True, True), wrong.TimeoutThatExpiresOnlyAtItsEnd)
async def _ask_in_the_clean_up_of_the_block(thing: Thing) -> Any:
    limit = thing(asyncio.get_running_loop().time() + 1)
    within = None
    try:
        async with limit:
            try:
                await asyncio.sleep(3600)
            finally:
                within = limit.expired()
    except TimeoutError:
        return within, limit.expired()


@shows("RuntimeError", wrong.TimeoutThatMayBeEnteredAgain)
async def _enter_twice(thing: Thing) -> Any:
    async def work(limit: Any) -> str:
        async with limit:
            return "entered"

    limit = thing(None)
    await work(limit)
    return await ended(work(limit))
