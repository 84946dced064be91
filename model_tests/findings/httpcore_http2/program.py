"""Requests over HTTP/2 to a server that allows one stream: a request that is cancelled must not make another fail.

loopspec explore httpcore_http2/program.py:main --cancel fetch
"""

import asyncio

import httpcore
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings


class Server(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.h2 = H2Connection(H2Configuration(client_side=False))
        limit = {SettingCodes.MAX_CONCURRENT_STREAMS: 1}
        self.h2.local_settings = Settings(client=False, initial_values=limit)
        self.h2.initiate_connection()
        self.flush()

    def data_received(self, data: bytes) -> None:
        for event in self.h2.receive_data(data):
            if isinstance(event, RequestReceived):
                asyncio.get_running_loop().call_later(0.2, self.answer, event.stream_id)
        self.flush()

    def answer(self, stream: int) -> None:
        try:
            self.h2.send_headers(stream, [(":status", "200")])
            self.h2.send_data(stream, b"hello", end_stream=True)
        except ProtocolError:
            pass  # the client has reset it
        self.flush()

    def flush(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(self.h2.data_to_send())


async def fetch(pool: httpcore.AsyncConnectionPool) -> str:
    response = await pool.request("GET", "http://localhost:8080/")
    return response.content.decode()


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Server, "localhost", 8080)
    async with httpcore.AsyncConnectionPool(http1=False, http2=True, max_connections=1) as pool:
        await fetch(pool)
        requests = [asyncio.create_task(fetch(pool)) for _ in range(2)]
        answers = await asyncio.gather(*requests, return_exceptions=True)
    server.close()
    for answer in answers:
        if isinstance(answer, asyncio.CancelledError):
            continue  # its user did not want it any more
        assert answer == "hello", f"a request ends with {answer!r}"
