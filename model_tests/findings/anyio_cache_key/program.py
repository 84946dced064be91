"""Three tasks read pages through a small cache: a task that is not cancelled must get its page.

loopspec explore anyio_cache_key/program.py:main --cancel read
"""

import asyncio

from anyio.functools import lru_cache


async def main() -> None:
    @lru_cache(maxsize=1)
    async def load(page: int) -> int:
        for _ in range(3):
            await asyncio.sleep(0.01)
        return page

    async def read(page: int) -> int:
        result: int = await load(page)
        return result

    tasks = [asyncio.create_task(read(page)) for page in (1, 1, 2)]
    await asyncio.wait(tasks)
    for page, task in zip((1, 1, 2), tasks, strict=True):
        error = None if task.cancelled() else task.exception()
        assert error is None, f"page {page}: {error!r}"
        assert task.cancelled() or task.result() == page
