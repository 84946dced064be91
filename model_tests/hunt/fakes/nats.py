"""A NATS server: subjects without wildcards, and its answer to a PING may take a while."""

from __future__ import annotations

import asyncio
import json

from .served import Served

HOST, PORT = "broker", 4222
URL = f"nats://{HOST}:{PORT}"

INFO = {"server_id": "FAKE", "version": "2.11.0", "proto": 1, "headers": True, "max_payload": 1 << 20}


class NATS(Served):
    """A server that passes messages on."""

    host, port = HOST, PORT

    def __init__(self, delay: float = 0.01) -> None:
        super().__init__(delay)
        self._subscriptions: dict[tuple[asyncio.StreamWriter, bytes], bytes] = {}

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"INFO " + json.dumps(INFO).encode() + b"\r\n")
        while (line := await reader.readline()).endswith(b"\n"):
            await self._command(line.split(), reader, writer)
            await writer.drain()

    async def _command(
        self, command: list[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        match command:
            case [b"PING"]:
                await asyncio.sleep(self._delay)
                writer.write(b"PONG\r\n")
            case [b"SUB", subject, *_, sid]:
                self._subscriptions[writer, sid] = subject
            case [b"UNSUB", sid, *_]:
                self._subscriptions.pop((writer, sid), None)
            case [b"PUB", subject, *reply, size]:
                payload = await reader.readexactly(int(size) + 2)
                for (to, sid), wanted in self._subscriptions.items():
                    if wanted == subject:
                        to.write(b" ".join([b"MSG", subject, sid, *reply, size]) + b"\r\n" + payload)
            case [b"CONNECT" | b"PONG", *_]:
                pass
            case _:
                raise ValueError(f"no such command: {command}")
