"""A memcached: get, gets, set and delete of its text protocol, with an answer that comes in two parts."""

from __future__ import annotations

import asyncio

HOST, PORT = "cache", 11211


class Memcached:
    """A server with a dictionary; `async with` starts and stops it."""

    def __init__(self, delay: float = 0.01) -> None:
        self.values: dict[bytes, bytes] = {}
        self.writers: list[asyncio.StreamWriter] = []
        self._delay = delay
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Memcached:
        self._server = await asyncio.start_server(self._serve, HOST, PORT)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self.writers:
            writer.close()
        await asyncio.sleep(0.1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        try:
            while (line := await reader.readline()).endswith(b"\n"):  # not a part, of a client that has gone
                parts = await self._answer(line.split(), reader)
                for part in parts:
                    await asyncio.sleep(self._delay)
                    writer.write(part)
                    await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

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
