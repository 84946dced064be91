"""Witnesses of wrong/fourth/waits.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, settle, shows, state
from ...wrong.fourth import waits as wrong


async def _fail() -> None:
    raise ValueError


@shows("pending", wrong.wait_cancels_what_is_late)
async def _look_at_a_future_after_the_timeout(thing: Thing) -> Any:
    future = asyncio.get_running_loop().create_future()
    await thing([future], timeout=1)
    return await state(future)


@shows((1, 1), wrong.wait_overlooks_an_earlier_error)
async def _wait_for_what_has_failed_and_what_waits(thing: Thing) -> Any:
    failed = asyncio.create_task(_fail())
    await settle()
    waiting = asyncio.get_running_loop().create_future()
    done, pending = await thing([failed, waiting], return_when=asyncio.FIRST_EXCEPTION)
    return len(done), len(pending)


@shows(["cleaned up", "TimeoutError"], wrong.wait_for_does_not_wait_for_the_clean_up)
async def _limit_what_cleans_up(thing: Thing) -> Any:
    order = []

    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(1)
            order.append("cleaned up")

    order.append(await ended(thing(work(), 1)))
    return order


@shows("value", wrong.wait_for_discards_a_late_value)
async def _limit_what_returns_all_the_same(thing: Thing) -> Any:
    async def work() -> Any:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return "value"

    return await ended(thing(work(), 1))


@shows(("TimeoutError", 0), wrong.timeout_leaves_its_request_to_cancel)
async def _count_requests_after_a_timeout(thing: Thing) -> Any:
    async def work() -> None:
        async with thing(1):
            await asyncio.sleep(3600)

    task: Any = asyncio.current_task()
    return await ended(work()), task.cancelling()


@shows("ValueError", wrong.timeout_changes_every_error)
async def _fail_in_the_clean_up(thing: Thing) -> Any:
    async def work() -> None:
        async with thing(1):
            try:
                await asyncio.sleep(3600)
            finally:
                raise ValueError

    return await ended(work())


@shows("in time", wrong.timeout_at_reads_the_wall_clock)
async def _stop_before_the_deadline(thing: Thing) -> Any:
    async def work() -> Any:
        async with thing(asyncio.get_running_loop().time() + 10):
            return await asyncio.sleep(1, "in time")

    return await ended(work())


@shows(["first", "second"], wrong.as_completed_times_out_a_slow_reader)
async def _read_after_the_timeout(thing: Thing) -> Any:
    results = []
    for result in thing([asyncio.sleep(1, "first"), asyncio.sleep(2, "second")], timeout=5):
        results.append(await ended(result))
        await asyncio.sleep(10)
    return results


@shows(("cancelled", 0), wrong.sleep_reports_an_error_when_it_is_cancelled_late)
async def _cancel_in_the_turn_of_the_timer(thing: Thing) -> Any:
    loop, reports = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda loop, context: reports.append(context))
    tasks: list[asyncio.Task[Any]] = []
    loop.call_at(loop.time() + 1, lambda: tasks[0].cancel())  # before the timer of sleep(), and in its turn
    tasks.append(asyncio.create_task(thing(1)))
    await asyncio.sleep(2)
    return await state(tasks[0]), len(reports)


@shows(1.5, wrong.sleep_drops_fractions)
async def _sleep_for_one_and_a_half(thing: Thing) -> Any:
    await thing(1.5)
    return asyncio.get_running_loop().time()
