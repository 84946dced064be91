"""A task fetches a page, and tries again unless the page is wrong: a cancel must end it.

loopspec explore tenacity_cancel/program.py:main --cancel fetch
"""

import asyncio

from tenacity import retry, retry_if_not_exception_type, stop_after_attempt


@retry(retry=retry_if_not_exception_type(ValueError), stop=stop_after_attempt(3))  # type: ignore[untyped-decorator]
async def fetch() -> str:
    await asyncio.sleep(0.01)
    return "a page"


async def main() -> None:
    task = asyncio.create_task(fetch())
    await asyncio.wait([task])
    assert task.cancelled() or not task.cancelling(), "a caller is cancelled, and tries again"
