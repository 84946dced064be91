"""A Redis: RESP2, keys with strings, SET with NX, and the script that releases a lock, the only one it knows."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from .served import Served

HOST, PORT = "store", 6379


class Redis(Served):
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
