"""A task fetches a page, and tries again unless the page is wrong: a cancel must end it.

loopspec explore stamina_cancel/program.py:main --cancel fetch
"""

import asyncio

import stamina


def worth_another(error: Exception) -> bool:
    return not isinstance(error, ValueError)


@stamina.retry(on=worth_another, attempts=3, wait_initial=0.01, wait_jitter=0)  # type: ignore[untyped-decorator]
async def fetch() -> str:
    await asyncio.sleep(0.01)
    return "a page"


async def main() -> None:
    task = asyncio.create_task(fetch())
    await asyncio.wait([task])
    assert task.cancelled() or not task.cancelling(), "a caller is cancelled, and tries again"
