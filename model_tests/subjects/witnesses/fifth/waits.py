"""Witnesses of wrong/fifth/waits.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows, state
from ...wrong.fifth import waits as wrong


@shows((2, 0), wrong.wait_takes_a_cancelled_task_for_a_failed_one)
async def _wait_for_an_exception_where_a_task_is_cancelled(thing: Thing) -> Any:
    cancelled = asyncio.create_task(asyncio.sleep(3600))
    slow = asyncio.create_task(asyncio.sleep(10))
    asyncio.get_running_loop().call_later(1, cancelled.cancel)
    done, pending = await thing({cancelled, slow}, return_when=asyncio.FIRST_EXCEPTION)
    return len(done), len(pending)


@shows(["TimeoutError"], wrong.as_completed_takes_zero_for_none)
async def _complete_within_no_time(thing: Thing) -> Any:
    task = asyncio.create_task(asyncio.sleep(10, "late"))
    return [await ended(each) for each in thing([task], timeout=0)]


@shows("cancelled", wrong.wait_for_leaves_the_task_when_cancelled)
async def _cancel_the_wait(thing: Thing) -> Any:
    inner = asyncio.create_task(asyncio.sleep(3600))
    waiting = asyncio.create_task(thing(inner, 60))
    await settle()
    waiting.cancel()
    await ended(waiting)
    return await state(inner)


@shows(("TimeoutError", "cancelled"), wrong.wait_for_returns_during_the_clean_up)
async def _look_at_the_task_after_the_timeout(thing: Thing) -> Any:
    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(10)  # a slow clean-up

    task = asyncio.create_task(work())
    return await ended(thing(task, 1)), outcome(task)
