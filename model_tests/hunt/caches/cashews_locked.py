"""cashews: a locked function runs once at a time, also if one that lost its lock by time ends later."""

from __future__ import annotations

import asyncio

from cashews import Cache

from ..harness import Harness

LEASE = 1.0


async def main() -> int:
    cache = Cache()
    cache.setup("mem://?check_interval=0.05")
    inside: list[float] = []
    reports = 0

    @cache.locked(ttl=LEASE, key="report", check_interval=0.1)
    async def report() -> None:
        nonlocal reports
        start = asyncio.get_running_loop().time()
        others = [entered for entered in inside if start - entered < LEASE]
        assert not others, "two hold the lock, and neither has had it for its whole time"
        inside.append(start)
        try:
            await asyncio.sleep(0.5)
            reports += 1
        except asyncio.CancelledError:
            await asyncio.sleep(1.45)
            raise
        finally:
            inside.remove(start)

    async def ask() -> None:
        await report()

    try:
        tasks = [asyncio.create_task(ask()) for _ in range(3)]
        for answer in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(answer, Exception):
                raise answer
        async with asyncio.timeout(10):
            await ask()
        return reports
    finally:
        await cache.close()


HARNESS = Harness(
    "cashews",
    main,
    cancel="ask",
    slow=True,
    finds={"AssertionError: two hold the lock*": "cashews_lock"},
)
