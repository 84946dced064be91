"""Cases of httpcore: python plain.py [CASE...]"""

import asyncio
import sys

import httpcore
import httpx
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings


class Server(asyncio.Protocol):
    """A server of HTTP/2."""

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


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve HTTP/1.1."""
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            await asyncio.sleep(0.02)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            await writer.drain()
    finally:
        writer.close()


def at(server: asyncio.Server) -> str:
    return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


async def http2(cancels: bool) -> str:
    """A server of HTTP/2 allows one stream.  A request waits for another, which is cancelled; it should be answered."""
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    url = at(server)
    async with httpcore.AsyncConnectionPool(http1=False, http2=True, max_connections=1) as connections:
        await connections.request("GET", url)
        first = asyncio.create_task(connections.request("GET", url))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(connections.request("GET", url))
        await asyncio.sleep(0.05)
        if cancels:
            first.cancel()
        await asyncio.wait([first, second], timeout=2)
        try:
            shown = second.result().content.decode()
        except httpcore.LocalProtocolError:
            shown = "LocalProtocolError"
    server.close()
    return shown


async def pool(cancels: bool) -> str:
    """Of three requests that share one connection two are cancelled.  Afterwards the pool should serve a request."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = at(server)
    timeout = httpx.Timeout(5, pool=0.5)
    limits = httpx.Limits(max_connections=1)
    async with httpx.AsyncClient(limits=limits, timeout=timeout, trust_env=False) as client:
        for turns in range(1, 60 if cancels else 2):
            tasks = [asyncio.create_task(client.get(url)) for _ in range(3)]
            for _ in range(turns):
                await asyncio.sleep(0)
            if cancels:
                tasks[0].cancel()
            await asyncio.sleep(0)
            if cancels:
                tasks[1].cancel()
            await asyncio.wait(tasks)
            try:
                text = (await client.get(url)).text
            except httpx.PoolTimeout:
                text = "PoolTimeout"
                break
    server.close()
    return text


CASES = {"http2": http2, "pool": pool}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        print("without cancels:", outcome(case, False))
        print("with cancels:", outcome(case, True))
