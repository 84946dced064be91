"""Witnesses of the wrong timeouts and wait_for()s."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, ended, outcome, settle, shows
from ..wrong import timeouts as wrong

# Any: what is waited for.


def now() -> float:
    """Return the time of the loop."""
    return asyncio.get_running_loop().time()


@shows(("TimeoutError", 0, True), wrong.LeavesTheCount, wrong.ForgetsThatItExpired)
async def after_it_expired(timeout_class: Thing) -> Any:
    async def main() -> Any:
        limit = timeout_class(now() + 1)
        try:
            async with limit:
                await asyncio.sleep(10)
        except TimeoutError:
            task = asyncio.current_task()
            assert task is not None
            return "TimeoutError", task.cancelling(), limit.expired()

    return await ended(asyncio.ensure_future(main()))


@shows("slept", wrong.StaysArmed)
async def after_the_block(timeout_class: Thing) -> Any:
    async def main() -> Any:
        async with timeout_class(now() + 1):
            pass
        return await asyncio.sleep(2, "slept")

    return await ended(asyncio.ensure_future(main()))


@shows([3.0, "slept"], wrong.NeverRearmed, wrong.ReschedulesFromNow)
async def rescheduled(timeout_class: Thing) -> Any:
    async def main() -> Any:
        await asyncio.sleep(1)
        async with timeout_class(now() + 1) as limit:
            limit.reschedule(3.0)
            seen = [limit.when()]
            return [*seen, await asyncio.sleep(1.5, "slept")]

    return await ended(asyncio.ensure_future(main()))


@shows(["slept", "KeyError"], wrong.wait_for_hides_the_cleanup)
async def suppressed(wait_for: Thing) -> Any:
    async def stubborn() -> Any:
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            return "slept"

    async def fails() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            raise KeyError

    return [await ended(wait_for(stubborn(), 1)), await ended(wait_for(fails(), 1))]


@shows("TimeoutError", wrong.timeout_at_from_now)
async def absolute_time(timeout_at: Thing) -> Any:
    async def main() -> Any:
        await asyncio.sleep(5)
        async with timeout_at(6):
            return await asyncio.sleep(2, "slept")

    return await ended(asyncio.ensure_future(main()))


@shows(("TimeoutError", "cancelled"), wrong.wait_for_leaves_it_running)
async def cancelled_by_its_timeout(wait_for: Thing) -> Any:
    inner = asyncio.ensure_future(asyncio.sleep(10))
    return await ended(wait_for(inner, 1)), outcome(inner)


@shows(("cancelled", "cancelled"), wrong.wait_for_hides_cancels, wrong.wait_for_spares_the_inner)
async def a_cancelled_wait(wait_for: Thing) -> Any:
    inner = asyncio.ensure_future(asyncio.sleep(10))
    waiting = asyncio.ensure_future(wait_for(inner, 5))
    await settle()
    waiting.cancel()
    await settle()
    return outcome(waiting), outcome(inner)


@shows("ValueError", wrong.wait_for_swallows_the_failure)
async def a_failure(wait_for: Thing) -> Any:
    async def fail() -> None:
        raise ValueError

    return await ended(wait_for(fail(), 1))
