"""Handlers that run jobs under a limit, and close their job when they are cancelled: no two jobs may run at once.

loopspec explore aiojobs_limit/program.py:main --cancel handle
"""

import asyncio

import aiojobs


class Printer:
    """A device for one job at a time."""

    def __init__(self) -> None:
        self.busy = False

    async def print(self) -> None:
        assert not self.busy, "two jobs print at once"
        self.busy = True
        try:
            await asyncio.sleep(0.1)
        finally:
            self.busy = False


async def handle(scheduler: aiojobs.Scheduler, printer: Printer) -> None:
    job = await scheduler.spawn(printer.print())
    try:
        await job.wait()
    finally:
        await job.close()


async def main() -> None:
    printer = Printer()
    async with aiojobs.Scheduler(limit=1) as scheduler:
        handlers = [asyncio.create_task(handle(scheduler, printer)) for _ in range(3)]
        for ended in await asyncio.gather(*handlers, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
