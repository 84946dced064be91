"""tenacity: a caller that is cancelled ends, and one that is not is answered after as many attempts as it takes."""

from __future__ import annotations

import asyncio

from tenacity import (
    retry,
    retry_if_exception_type,
    retry_if_not_exception_type,
    stop_after_attempt,
    wait_fixed,
)

from ..harness import Harness


async def main() -> list[str]:
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

    tasks = [asyncio.create_task(but_for()), asyncio.create_task(by_type())]
    await asyncio.wait(tasks)
    for task in tasks:
        assert task.cancelled() or not task.cancelling(), "a caller is cancelled, and tries again"
    return ["cancelled" if task.cancelled() else task.result() for task in tasks]


HARNESS = Harness(
    "tenacity",
    main,
    cancel="but_for,by_type",
    finds={"AssertionError: a caller is cancelled, and tries again": "tenacity_cancel"},
)
