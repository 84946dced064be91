"""Harnesses of httpcore, and a server of HTTP/2 without TLS.

It allows so many streams at once, and answers each after a while.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpcore
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings

from ..harness import harness_of

#: The time before an answer.
PAUSE = 0.05
BODY = "hello"


class Connected(asyncio.Protocol):
    """A connection to a client."""

    def __init__(self, streams: int) -> None:
        self.streams = streams
        self.h2 = H2Connection(H2Configuration(client_side=False))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        limit = {SettingCodes.MAX_CONCURRENT_STREAMS: self.streams}
        self.h2.local_settings = Settings(client=False, initial_values=limit)
        self.h2.initiate_connection()
        self.flush()

    def data_received(self, data: bytes) -> None:
        try:
            events = self.h2.receive_data(data)
        except ProtocolError:
            events = []
        for event in events:
            if isinstance(event, RequestReceived):
                asyncio.get_running_loop().call_later(PAUSE, self.answer, event.stream_id)
        self.flush()

    def answer(self, stream: int) -> None:
        try:
            self.h2.send_headers(stream, [(":status", "200")])
            self.h2.send_data(stream, BODY.encode(), end_stream=True)
        except ProtocolError:
            pass  # the client has reset it
        self.flush()

    def flush(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(self.h2.data_to_send())


@asynccontextmanager
async def serving(port: int, streams: int) -> AsyncIterator[None]:
    """Serve at a port of localhost; at the end, wait a while for the connections of the clients to end."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connected(streams), "localhost", port)
    try:
        yield
    finally:
        await asyncio.sleep(1)
        server.close()


PORT = 8080


async def fetch(pool: httpcore.AsyncConnectionPool) -> str:
    response = await pool.request("GET", f"http://localhost:{PORT}/")
    return response.content.decode()


@harness_of(
    "httpcore",
    cancel="fetch",
    slow=True,
    finds={"AssertionError: a request: LocalProtocolError(TooManyStreamsError*": "httpcore_http2"},
)
async def httpcore_http2() -> int:
    """Requests that share a connection of HTTP/2 are answered, whichever of them is cancelled."""
    async with (
        serving(PORT, streams=2),
        asyncio.timeout(60),
        httpcore.AsyncConnectionPool(http1=False, http2=True, max_connections=1) as pool,
    ):
        await fetch(pool)
        tasks = [asyncio.create_task(fetch(pool)) for _ in range(3)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        last = await asyncio.gather(fetch(pool), fetch(pool), return_exceptions=True)
    for result in (*results, *last):
        assert result == BODY or isinstance(result, asyncio.CancelledError), f"a request: {result!r}"
    return results.count(BODY)
