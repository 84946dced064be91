"""aiojobs: no more than the limit run at once, and each job starts and ends though others are closed."""

from __future__ import annotations

import asyncio

from aiojobs import Scheduler

from ..harness import Harness

HANDLERS = 4


class Printer:
    """A device for one job at a time."""

    def __init__(self) -> None:
        self.busy = False

    async def print(self, number: int) -> int:
        assert not self.busy, "two jobs print at once"
        self.busy = True
        try:
            await asyncio.sleep(0.01)
        finally:
            self.busy = False
        return number


async def handle(scheduler: Scheduler, printer: Printer, number: int) -> int:
    job = await scheduler.spawn(printer.print(number))
    try:
        result: int = await job.wait()
    finally:
        await job.close()
    return result


async def serve(pending_limit: int) -> list[int]:
    printer = Printer()
    async with Scheduler(limit=1, pending_limit=pending_limit) as scheduler:
        handlers = [asyncio.create_task(handle(scheduler, printer, number)) for number in range(HANDLERS)]
        async with asyncio.timeout(10):
            results = await asyncio.gather(*handlers, return_exceptions=True)
        for number, result in enumerate(results):
            assert result == number or isinstance(result, asyncio.CancelledError | TimeoutError), (
                f"{number}: {result!r}"
            )
        for handler in handlers:
            assert handler.cancelled() or handler.cancelling() == 0, "a handler was cancelled and went on"
        assert await handle(scheduler, printer, HANDLERS) == HANDLERS
    return [result for result in results if isinstance(result, int)]


async def main() -> list[list[int]]:
    try:
        # A bound of the queue makes spawn() wait, which is another way to start.
        return [await serve(pending_limit) for pending_limit in (2, 1)]
    finally:
        await asyncio.sleep(1)  # wait() leaves a task to its shield, which ends with the job


HARNESS = Harness(
    "aiojobs",
    main,
    cancel="handle",
    finds={
        "TimeoutError": "aiojobs_stuck",
        "*two jobs print at once*": "aiojobs_limit",
        "AssertionError: a handler was cancelled and went on": "aiojobs_close",
    },
)
