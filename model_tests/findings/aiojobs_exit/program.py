"""A task that owns a scheduler: once it has ended, in whichever way, its job does not run.

loopspec explore aiojobs_exit/program.py:main --cancel own
"""

import asyncio

import aiojobs


class Printer:
    """A device that a job uses."""

    def __init__(self) -> None:
        self.busy = False

    async def print(self) -> None:
        self.busy = True
        try:
            await asyncio.sleep(0.1)
        finally:
            self.busy = False


async def own(printer: Printer) -> None:
    async with aiojobs.Scheduler() as scheduler:
        await scheduler.spawn(printer.print())
        await asyncio.sleep(0.01)


async def main() -> None:
    printer = Printer()
    owner = asyncio.create_task(own(printer))
    await asyncio.wait([owner])
    # A second cancel may come when the job has been cancelled, and has not ended yet.
    assert not printer.busy or owner.cancelling() > 1, "a job runs, and its scheduler has been left"
