"""redis: a call that is cancelled costs the others nothing: each gets its answer, and no place of the pool is lost."""

from __future__ import annotations

import asyncio

from redis.asyncio import BlockingConnectionPool
from redis.asyncio import Redis as Client
from redis.exceptions import RedisError

from ..fakes.redis import HOST, PORT, Redis
from ..harness import Harness

KEYS = ("a", "b", "c", "d")


async def fetch(client: Client, key: str) -> bytes | None:
    value: bytes | None = await client.get(key)
    return value


async def main() -> int:
    async with Redis() as server:
        server.values.update({key.encode(): key.encode() for key in KEYS})
        pool = BlockingConnectionPool(1, timeout=None, host=HOST, port=PORT, protocol=2)
        client = Client(connection_pool=pool)
        try:
            calls = [asyncio.create_task(fetch(client, key)) for key in KEYS]
            results = await asyncio.gather(*calls, return_exceptions=True)
            assert not pool._in_use_connections, "a place of the pool is lost"
        finally:
            await client.aclose()
            await pool.aclose()
        for key, result in zip(KEYS, results, strict=True):
            if not isinstance(result, asyncio.CancelledError):
                assert not isinstance(result, RedisError), f"a call fails: {result!r}"
                assert result == key.encode(), f"a call gets the answer of another: {result!r}"
    return sum(isinstance(result, bytes) for result in results)


HARNESS = Harness(
    "redis",
    main,
    cancel="fetch",
    slow=True,
    allowed={
        "AssertionError: a call fails: network:TimeoutError*": "the timeout of a socket expires, and it says so",
        "DeadlockError: *Condition.wait_for of pool._condition*": "the Condition of Python 3.11 and 3.12 loses the "
        "notification of a waiter that is cancelled (gh-112202)",
    },
)
