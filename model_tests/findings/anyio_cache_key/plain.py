"""Two calls of a cached function share an argument; the first fails, or does not.  The second should return a value."""

import asyncio

from anyio.functools import lru_cache


async def main(fails: bool) -> str:
    calls = 0

    @lru_cache(maxsize=1)
    async def load(page: int) -> int:
        nonlocal calls
        calls += 1
        first = calls == 1
        await asyncio.sleep(0.05)
        if first and fails:
            raise ConnectionError
        return page

    tasks = []
    for page in (1, 1, 2):
        tasks.append(asyncio.create_task(load(page)))
        await asyncio.sleep(0.01)
    await asyncio.gather(*tasks, return_exceptions=True)
    error = tasks[1].exception()
    return "a value" if error is None else type(error).__name__


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the first call returns:", outcome(False))
    print("the first call fails:", outcome(True))
