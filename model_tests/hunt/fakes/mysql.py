"""As much of a MySQL server as a client needs that connects, queries one value, and has transactions."""

from __future__ import annotations

import asyncio
import struct
from typing import Final

PORT: Final = 3306
#: PROTOCOL_41, TRANSACTIONS, SECURE_CONNECTION, PLUGIN_AUTH.
CAPABILITIES: Final = 0x200 | 0x2000 | 0x8000 | 0x80000
UTF8MB4: Final = 45
LONGLONG: Final = 8
QUIT: Final = 1
QUERY: Final = 3
IN_TRANSACTION: Final = 1
AUTOCOMMIT: Final = 2
#: How long the server takes to greet, and to answer.
TAKES: Final = 0.01


def _text(value: bytes) -> bytes:
    return bytes([len(value)]) + value


class MySQL:
    """A server that lets everybody in.

    `SELECT n` returns n; `SELECT n, SLEEP(s)` returns n after s seconds; `KILL` ends its own session;
    all other queries are answered OK, BEGIN, COMMIT and ROLLBACK with the new status.
    """

    def __init__(self) -> None:
        #: How many sessions are open.
        self.sessions = 0

    async def __aenter__(self) -> MySQL:
        self._server = await asyncio.start_server(self._serve, "localhost", PORT)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        await asyncio.sleep(1)  # the sessions end

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.sessions += 1
        try:
            await _Session(reader, writer).run()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.sessions -= 1
            writer.close()


class _Session:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.number = 0
        self.status = AUTOCOMMIT

    async def run(self) -> None:
        await asyncio.sleep(TAKES)
        self.send(
            b"\x0a8.0.0\0" + struct.pack("<I", 1) + b"saltsalt\0" + struct.pack("<H", CAPABILITIES & 0xFFFF),
            struct.pack("<BHHB", UTF8MB4, self.status, CAPABILITIES >> 16, 21),
            bytes(10) + b"saltsaltsalt\0mysql_native_password\0",
        )
        await self.receive()
        self.ok()
        while True:
            command = await self.receive()
            if command[0] == QUIT or command[1:] == b"KILL":
                return
            await self.answer(command[1:].decode() if command[0] == QUERY else "")

    async def answer(self, query: str) -> None:
        if query in ("BEGIN", "COMMIT", "ROLLBACK"):
            self.status = AUTOCOMMIT | (IN_TRANSACTION if query == "BEGIN" else 0)
        if not query.startswith("SELECT "):
            self.ok()
            return
        value, _, sleep = query.removeprefix("SELECT ").partition(", ")
        await asyncio.sleep(float(sleep.removeprefix("SLEEP(").rstrip(")") or TAKES))
        end = b"\xfe" + struct.pack("<HH", 0, self.status)
        self.send(b"\x01")
        kind = struct.pack("<BHIBHBH", 0x0C, UTF8MB4, 20, LONGLONG, 0, 0, 0)
        self.send(b"".join(map(_text, (b"def", b"", b"", b"", b"n", b"n"))), kind)
        self.send(end)
        self.send(_text(value.encode()))
        self.send(end)

    def ok(self) -> None:
        self.send(b"\0\0\0" + struct.pack("<HH", self.status, 0))

    def send(self, *parts: bytes) -> None:
        payload = b"".join(parts)
        self.writer.write(struct.pack("<I", len(payload))[:3] + bytes([self.number]) + payload)
        self.number += 1

    async def receive(self) -> bytes:
        header = await self.reader.readexactly(4)
        self.number = header[3] + 1
        return await self.reader.readexactly(int.from_bytes(header[:3], "little"))
