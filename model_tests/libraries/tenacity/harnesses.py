"""Harnesses of tenacity."""

import asyncio

from tenacity import (
    retry,
    retry_if_exception_type,
    retry_if_not_exception_type,
    stop_after_attempt,
    wait_fixed,
)

from ..harness import harness_of


@harness_of(
    "tenacity",
    cancel="but_for,by_type",
    allowed={
        "AssertionError: but_for() is cancelled, and tries again": "retry_if_not_exception_type() is documented to "
        "retry on each exception that it does not name, tenacity 529",
    },
)
async def tenacity_cancel() -> list[str]:
    """A caller that is cancelled ends, and one that is not is answered after as many attempts as it takes."""
    calls = 0

    async def fetch() -> str:
        nonlocal calls
        calls += 1
        await asyncio.sleep(0.01)
        if calls % 2:
            raise ConnectionError
        return "a page"

    @retry(retry=retry_if_not_exception_type(ValueError), stop=stop_after_attempt(5), wait=wait_fixed(0.1))
    async def but_for() -> str:
        return await fetch()

    @retry(retry=retry_if_exception_type(ConnectionError), stop=stop_after_attempt(5), wait=wait_fixed(0.1))
    async def by_type() -> str:
        return await fetch()

    tasks = {"but_for": asyncio.create_task(but_for()), "by_type": asyncio.create_task(by_type())}
    await asyncio.wait(tasks.values())
    for name, task in tasks.items():
        assert task.cancelled() or not task.cancelling(), f"{name}() is cancelled, and tries again"
    return ["cancelled" if task.cancelled() else task.result() for task in tasks.values()]
