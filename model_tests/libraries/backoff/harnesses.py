"""Harnesses of backoff."""

import asyncio
import logging

import backoff

from ..harness import harness_of

logging.getLogger("backoff").setLevel(logging.CRITICAL)


@harness_of("backoff", cancel="by_error,by_page")
async def backoff_retries() -> list[str]:
    """A caller that is cancelled ends, and one that is not is answered after as many attempts as it takes."""
    calls = 0

    async def fetch() -> str:
        nonlocal calls
        calls += 1
        await asyncio.sleep(0.01)
        if calls % 2:
            raise ConnectionError
        return "a page"

    @backoff.on_exception(backoff.expo, Exception, max_tries=5, jitter=None)
    async def by_error() -> str:
        try:
            return await fetch()
        except ValueError:
            return "no page"

    @backoff.on_predicate(backoff.constant, lambda page: page != "a page", interval=0.1, max_tries=5, jitter=None)
    async def by_page() -> str:
        try:
            return await fetch()
        except ConnectionError:
            return "no page"

    tasks = [asyncio.create_task(by_error()), asyncio.create_task(by_page())]
    await asyncio.wait(tasks)
    for task in tasks:
        assert task.cancelled() or not task.cancelling(), "a caller is cancelled, and tries again"
    return ["cancelled" if task.cancelled() else task.result() for task in tasks]
