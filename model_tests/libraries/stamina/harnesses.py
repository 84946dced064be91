"""Harnesses of stamina."""

import asyncio
import logging

import stamina

from ..harness import harness_of

# It reports each further attempt.
logging.getLogger("stamina").setLevel(logging.CRITICAL)


@harness_of(
    "stamina",
    cancel="by_hook,by_type",
    finds={"AssertionError: a caller is cancelled, and tries again": "stamina_cancel"},
)
async def stamina_cancel() -> list[str]:
    """A caller that is cancelled ends, and one that is not is answered after as many attempts as it takes."""
    calls = 0

    async def fetch() -> str:
        nonlocal calls
        calls += 1
        await asyncio.sleep(0.01)
        if calls % 2:
            raise ConnectionError
        return "a page"

    def worth_another(error: Exception) -> bool:
        return not isinstance(error, ValueError)

    @stamina.retry(on=worth_another, attempts=5, wait_jitter=0)
    async def by_hook() -> str:
        return await fetch()

    @stamina.retry(on=ConnectionError, attempts=5, wait_jitter=0)
    async def by_type() -> str:
        return await fetch()

    tasks = [asyncio.create_task(by_hook()), asyncio.create_task(by_type())]
    await asyncio.wait(tasks)
    for task in tasks:
        assert task.cancelled() or not task.cancelling(), "a caller is cancelled, and tries again"
    return ["cancelled" if task.cancelled() else task.result() for task in tasks]
