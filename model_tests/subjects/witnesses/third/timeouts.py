"""Witnesses of wrong/third/timeouts.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, settle, shows
from ...wrong.third import timeouts as wrong


async def _wait_in(context: Any) -> Any:
    async with context:
        await asyncio.sleep(3600)


@shows("TimeoutError", wrong.timeout_fails_in_a_cancelled_task)
async def _limit_the_clean_up_of_a_cancelled_task(thing: Thing) -> Any:
    async def work() -> Any:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return await ended(_wait_in(thing(1)))

    task = asyncio.create_task(work())
    await settle()
    task.cancel()
    return await ended(task)


@shows("CancelledError", wrong.timeout_swallows_a_cancellation)
async def _expire_while_being_cancelled(thing: Thing) -> Any:
    async def work() -> None:
        async with thing(1):
            try:
                await asyncio.sleep(3600)
            finally:
                await asyncio.sleep(10)  # a slow clean-up

    task = asyncio.create_task(ended(work()))
    await settle()
    task.cancel()
    return await task


@shows((False, "moved"), wrong.TimeoutThatExpiresWithinReschedule)
async def _move_a_deadline_out_of_the_past(thing: Thing) -> Any:
    loop = asyncio.get_running_loop()
    async with thing(None) as limit:
        limit.reschedule(loop.time() - 1)
        expired = limit.expired()
        limit.reschedule(loop.time() + 10)
        return expired, await asyncio.sleep(1, "moved")


@shows(False, wrong.TimeoutThatAsksTheClock)
async def _ask_long_after_the_block(thing: Thing) -> Any:
    async with thing(asyncio.get_running_loop().time() + 1) as limit:
        await asyncio.sleep(0)
    await asyncio.sleep(10)
    return limit.expired()


@shows("waited", wrong.TimeoutThatKeepsTheRemovedDeadline)
async def _remove_a_deadline(thing: Thing) -> Any:
    async def work() -> Any:
        async with thing(asyncio.get_running_loop().time() + 1) as limit:
            limit.reschedule(None)
            return await asyncio.sleep(10, "waited")

    return await ended(work())


@shows("went on", wrong.timeout_runs_on_after_an_error)
async def _go_on_after_an_error_in_the_block(thing: Thing) -> Any:
    try:
        async with thing(1):
            raise ValueError
    except ValueError:
        return await ended(asyncio.sleep(10, "went on"))


@shows("done", wrong.timeout_at_skips_the_block)
async def _do_without_waiting_after_the_deadline(thing: Thing) -> Any:
    async def work() -> Any:
        async with thing(asyncio.get_running_loop().time() - 1):
            return "done"

    return await ended(work())


@shows("ValueError", wrong.wait_for_hides_the_error_of_the_clean_up)
async def _fail_while_being_cancelled(thing: Thing) -> Any:
    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            raise ValueError

    return await ended(thing(work(), 1))
