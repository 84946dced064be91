"""A NATS server: subjects without wildcards, and its answer to a PING may take a while."""

from __future__ import annotations

import asyncio
import json

HOST, PORT = "broker", 4222
URL = f"nats://{HOST}:{PORT}"

INFO = {"server_id": "FAKE", "version": "2.11.0", "proto": 1, "headers": True, "max_payload": 1 << 20}


class NATS:
    """A server that passes messages on; `async with` starts and stops it."""

    def __init__(self, delay: float = 0.01) -> None:
        self._delay = delay
        self._subscriptions: dict[tuple[asyncio.StreamWriter, bytes], bytes] = {}
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> NATS:
        self._server = await asyncio.start_server(self._serve, HOST, PORT)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.sleep(0.1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        try:
            writer.write(b"INFO " + json.dumps(INFO).encode() + b"\r\n")
            while (line := await reader.readline()).endswith(b"\n"):
                await self._command(line.split(), reader, writer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

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
