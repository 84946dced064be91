"""aiotools: cancel_and_wait() ends the task for each caller, and raises only in a caller that was cancelled."""

from __future__ import annotations

import asyncio

from aiotools import cancel_and_wait

from ..harness import Harness

CALLERS = 2


async def work() -> None:
    try:
        await asyncio.sleep(1)
    finally:
        await asyncio.sleep(0.01)


async def stop(task: asyncio.Task[None]) -> str:
    await cancel_and_wait(task)
    await asyncio.sleep(0.01)
    return "stopped"


async def main() -> list[str]:
    task = asyncio.create_task(work())
    await asyncio.sleep(0.01)
    callers = [asyncio.create_task(stop(task)) for _ in range(CALLERS)]
    await asyncio.wait(callers)
    for caller in callers:
        assert caller.cancelled() or caller.result() == "stopped", f"{caller.result()}"
        assert caller.cancelled() >= (caller.cancelling() > 0), "a caller was cancelled and went on"
        assert caller.cancelled() <= (caller.cancelling() > 0), (
            "a caller ended with a cancel that is not its own"
        )
    assert task.done(), "the task goes on"
    return ["cancelled" if caller.cancelled() else caller.result() for caller in callers]


HARNESS = Harness(
    "aiotools",
    main,
    cancel="stop",
    finds={
        "AssertionError: a caller ended with a cancel that is not its own": "aiotools_wait",
        "AssertionError: a caller was cancelled and went on": "aiotools_wait",
    },
)
