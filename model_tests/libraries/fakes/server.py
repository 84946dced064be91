"""The base of the fake servers: they listen, keep their connections, and close them at the end."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Self


class FakeServer:
    """A server; `async with` starts and stops it.  A subclass says how it talks with a client."""

    host: ClassVar[str]
    port: ClassVar[int]

    def __init__(self, delay: float = 0.01) -> None:
        self.writers: list[asyncio.StreamWriter] = []
        self._delay = delay
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self.host, self.port)
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
            await self._talk(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talk with a client until it goes."""
        raise NotImplementedError
