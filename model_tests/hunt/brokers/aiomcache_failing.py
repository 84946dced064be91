"""aiomcache: while the connections of a pool break, each call ends, with its value or with an error."""

from __future__ import annotations

import asyncio

import aiomcache

from ..fakes.memcached import HOST, PORT, Memcached
from ..harness import Harness

KEYS = (b"a", b"b", b"c")


async def fetch(client: aiomcache.Client, key: bytes) -> str:
    try:
        value = await client.get(key)
    except (aiomcache.ClientException, OSError, asyncio.IncompleteReadError):
        return "failed"
    assert value == b"value of " + key, "a call gets the answer of another"
    return "served"


async def main() -> list[str]:
    async with Memcached() as server:
        server.values.update({key: b"value of " + key for key in KEYS})
        client = aiomcache.Client(HOST, PORT, pool_size=1)
        calls = [asyncio.create_task(fetch(client, key)) for key in KEYS]
        shown = await asyncio.gather(*calls)
        await client.close()
    return shown


HARNESS = Harness(
    "aiomcache",
    main,
    faults="refused,reset",
    finds={"DeadlockError: *Queue.get of self._pool*": "aiomcache_stuck"},
)
