"""aiomcache: a call that is cancelled costs the others nothing: each gets the value of its own key."""

from __future__ import annotations

import asyncio

import aiomcache

from ..fakes.memcached import HOST, PORT, Memcached
from ..harness import Harness

KEYS = (b"a", b"b", b"c")


async def fetch(client: aiomcache.Client, key: bytes) -> bytes | None:
    value: bytes | None = await client.get(key)
    return value


async def main() -> list[str]:
    async with Memcached() as server:
        server.values.update({key: b"value of " + key for key in KEYS})
        client = aiomcache.Client(HOST, PORT, pool_size=1)
        calls = [asyncio.create_task(fetch(client, key)) for key in KEYS]
        results = await asyncio.gather(*calls, return_exceptions=True)
        shown = []
        for key, result in zip(KEYS, results, strict=True):
            if isinstance(result, asyncio.CancelledError):
                shown.append("cancelled")
                continue
            if isinstance(result, BaseException):
                raise AssertionError("a call fails because another was cancelled") from result
            assert result == b"value of " + key, "a call gets the answer of another"
            shown.append("served")
        await client.close()
    return shown


HARNESS = Harness(
    "aiomcache",
    main,
    cancel="fetch",
    finds={
        "AssertionError: a call gets the answer of another": "aiomcache_reply",
        "DeadlockError: *Queue.get of self._pool*": "aiomcache_stuck",
        "AssertionError: a call fails because another was cancelled": "aiomcache_reply",
    },
)
