"""Harnesses of redis, and a Redis.

RESP2, keys with strings, SET with NX, and the script that releases a lock, the only one it knows.
"""

import asyncio
from contextlib import suppress

from redis.asyncio import BlockingConnectionPool
from redis.asyncio import Redis as Client
from redis.exceptions import RedisError

from ..fakes.server import FakeServer
from ..harness import harness_of

HOST, PORT = "store", 6379


class Redis(FakeServer):
    """A server with a dictionary."""

    host, port = HOST, PORT

    def __init__(self, delay: float = 0.01) -> None:
        super().__init__(delay)
        self.values: dict[bytes, bytes] = {}

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ValueError):
            while (head := await reader.readline()).endswith(b"\n"):
                words = []
                for _ in range(int(head[1:])):
                    size = int((await reader.readline())[1:])
                    words.append((await reader.readexactly(size + 2))[:-2])
                await asyncio.sleep(self._delay)
                writer.write(self._answer(words))
                await writer.drain()

    def _answer(self, command: list[bytes]) -> bytes:
        match command:
            case [b"GET", key]:
                return _bulk(self.values.get(key))
            case [b"SET", key, value, *options]:
                if b"NX" in options and key in self.values:
                    return _bulk(None)
                self.values[key] = value
                return b"+OK\r\n"
            case [b"EVALSHA", _, b"1", key, token]:
                if self.values.get(key) != token:
                    return b":0\r\n"
                del self.values[key]
                return b":1\r\n"
            case [b"PING"]:
                return b"+PONG\r\n"
            case [b"CLIENT", *_]:
                return b"+OK\r\n"
        return b"-ERR unknown command\r\n"


def _bulk(value: bytes | None) -> bytes:
    return b"$-1\r\n" if value is None else b"$%d\r\n%b\r\n" % (len(value), value)


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


@harness_of(
    "redis",
    cancel="work",
    slow=True,
    finds={"AssertionError: no one wants the lock, and it is locked": "redis_lock"},
    allowed={
        "Leaked: *LockNotOwnedError*": "the timeout of a socket expires, and a release that was done is sent again"
    },
)
async def redis_locks() -> int:
    """One task at a time has a lock, and when none wants it any more, no one has it."""
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


KEYS = ("a", "b", "c", "d")


async def fetch(client: Client, key: str) -> bytes | None:
    value: bytes | None = await client.get(key)
    return value


@harness_of(
    "redis",
    cancel="fetch",
    slow=True,
    allowed={
        "AssertionError: a call fails: network:TimeoutError*": "the timeout of a socket expires, and it says so",
        "DeadlockError: *Condition.wait_for of pool._condition*": "the Condition of Python 3.11 and 3.12 loses the "
        "notification of a waiter that is cancelled (gh-112202)",
    },
)
async def redis_pool() -> int:
    """Cancelling one call does not affect the others: each gets its answer, and no place of the pool is lost."""
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
