"""Harnesses of aiomcache, and a memcached.

Get, gets, set and delete of its text protocol, with an answer that comes in two parts.
"""

import asyncio

import aiomcache

from ..fakes.server import FakeServer
from ..harness import harness_of

HOST, PORT = "cache", 11211


class Memcached(FakeServer):
    """A server with a dictionary."""

    host, port = HOST, PORT

    def __init__(self, delay: float = 0.01) -> None:
        super().__init__(delay)
        self.values: dict[bytes, bytes] = {}

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (line := await reader.readline()).endswith(b"\n"):  # not a part, of a client that has gone
            parts = await self._answer(line.split(), reader)
            for part in parts:
                await asyncio.sleep(self._delay)
                writer.write(part)
                await writer.drain()

    async def _answer(self, command: list[bytes], reader: asyncio.StreamReader) -> list[bytes]:
        name, key, *rest = command
        if name == b"set":
            self.values[key] = (await reader.readexactly(int(rest[2]) + 2))[:-2]
            return [b"STORED\r\n"]
        if name == b"delete":
            return [b"NOT_FOUND\r\n" if self.values.pop(key, None) is None else b"DELETED\r\n"]
        value = self.values.get(key)
        if value is None:
            return [b"END\r\n"]
        return [b"VALUE %b 0 %d\r\n" % (key, len(value)), value + b"\r\nEND\r\n"]


KEYS = (b"a", b"b", b"c")


async def try_to_fetch(client: aiomcache.Client, key: bytes) -> str:
    try:
        value = await client.get(key)
    except (aiomcache.ClientException, OSError, asyncio.IncompleteReadError):
        return "failed"
    assert value == b"value of " + key, "a call gets the answer of another"
    return "served"


@harness_of(
    "aiomcache",
    faults="refused,reset",
    finds={"DeadlockError: *Queue.get of self._pool*": "aiomcache_stuck"},
)
async def aiomcache_failing() -> list[str]:
    """While the connections of a pool break, each call ends, with its value or with an error."""
    async with Memcached() as server:
        server.values.update({key: b"value of " + key for key in KEYS})
        client = aiomcache.Client(HOST, PORT, pool_size=1)
        calls = [asyncio.create_task(try_to_fetch(client, key)) for key in KEYS]
        shown = await asyncio.gather(*calls)
        await client.close()
    return shown


async def fetch(client: aiomcache.Client, key: bytes) -> bytes | None:
    value: bytes | None = await client.get(key)
    return value


@harness_of(
    "aiomcache",
    cancel="fetch",
    finds={
        "AssertionError: a call gets the answer of another": "aiomcache_reply",
        "DeadlockError: *Queue.get of self._pool*": "aiomcache_stuck",
        "AssertionError: a call fails because another was cancelled": "aiomcache_reply",
    },
)
async def aiomcache_pool() -> list[str]:
    """Cancelling one call does not affect the others: each gets the value of its own key."""
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
