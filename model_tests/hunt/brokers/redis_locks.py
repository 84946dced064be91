"""redis: one task at a time has a lock, and when none wants it any more, no one has it."""

from __future__ import annotations

import asyncio

from redis.asyncio import Redis as Client

from ..fakes.redis import HOST, PORT, Redis
from ..harness import Harness


class Holders:
    now = 0


async def work(client: Client, holders: Holders) -> str:
    async with client.lock("door", sleep=0.05):
        assert holders.now == 0, "two tasks have the lock"
        holders.now += 1
        try:
            await asyncio.sleep(0.01)
        finally:
            holders.now -= 1
    return "done"


async def main() -> int:
    async with Redis() as server:
        client = Client(host=HOST, port=PORT, protocol=2)
        holders = Holders()
        try:
            workers = [asyncio.create_task(work(client, holders)) for _ in range(2)]
            await asyncio.wait(workers, timeout=0.5)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.wait(workers)
            await client.aclose()
        assert not server.values, "no one wants the lock, and it is locked"
    return sum(not worker.cancelled() for worker in workers)


HARNESS = Harness(
    "redis",
    main,
    cancel="work",
    slow=True,
    finds={"AssertionError: no one wants the lock, and it is locked": "redis_lock"},
    allowed={
        "Leaked: *LockNotOwnedError*": "the timeout of a socket expires, and a release that was done is sent again"
    },
)
