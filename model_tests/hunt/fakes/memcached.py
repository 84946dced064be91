"""A memcached: get, gets, set and delete of its text protocol, with an answer that comes in two parts."""

from __future__ import annotations

import asyncio

from .served import Served

HOST, PORT = "cache", 11211


class Memcached(Served):
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
