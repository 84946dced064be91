"""As much of a PostgreSQL server as a client needs that connects, and runs simple queries, which it may cancel."""

from __future__ import annotations

import asyncio
import struct
from typing import Final

PORT: Final = 5432
#: The codes in place of a version, with which a client asks for TLS, and cancels a query.
TLS: Final = 80877103
CANCEL: Final = 80877102
#: How long the server takes to let a client in, and to answer.
TAKES: Final = 0.01


def message(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return kind + struct.pack("!i", len(body) + 4) + body


class Postgres:
    """A server that lets everybody in, as long as it has room, and answers each query with no rows."""

    def __init__(self, most: int = 100) -> None:
        self.most = most
        #: The tasks of the sessions that are open, by their number.
        self.sessions: dict[int, asyncio.Event] = {}
        self._last = 0

    async def __aenter__(self) -> Postgres:
        self._server = await asyncio.start_server(self._serve, "localhost", PORT)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        await asyncio.sleep(1)  # the sessions end

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._begin(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        size, code = struct.unpack("!ii", await reader.readexactly(8))
        rest = await reader.readexactly(size - 8)
        if code == CANCEL:
            if (session := self.sessions.get(struct.unpack("!i", rest[:4])[0])) is not None:
                session.set()
            return
        await asyncio.sleep(TAKES)
        if len(self.sessions) >= self.most:
            writer.write(message(b"E", b"SFATAL\0C53300\0Mtoo many clients already\0\0"))
            return
        self._last = number = self._last + 1
        self.sessions[number] = asyncio.Event()
        try:
            writer.write(message(b"R", bytes(4)))
            for name, value in (("server_version", "16.0"), ("client_encoding", "UTF8")):
                writer.write(message(b"S", name.encode(), b"\0", value.encode(), b"\0"))
            writer.write(message(b"K", struct.pack("!ii", number, 0)) + message(b"Z", b"I"))
            await self._queries(reader, writer, self.sessions[number])
        finally:
            del self.sessions[number]

    async def _queries(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cancelled: asyncio.Event
    ) -> None:
        while True:
            kind, size = struct.unpack("!ci", await reader.readexactly(5))
            await reader.readexactly(size - 4)
            if kind == b"X":
                return
            cancelled.clear()
            try:
                await asyncio.wait_for(cancelled.wait(), TAKES)
            except TimeoutError:
                writer.write(message(b"C", b"SELECT 0\0"))
            else:
                writer.write(message(b"E", b"SERROR\0C57014\0Mcanceling statement due to user request\0\0"))
            writer.write(message(b"Z", b"I"))
