"""A server of HTTP/2 allows one stream.  A request waits for another, which is cancelled; it should be answered."""

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


async def main(cancels: bool) -> str:
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with httpcore.AsyncConnectionPool(http1=False, http2=True, max_connections=1) as pool:
        await pool.request("GET", url)
        first = asyncio.create_task(pool.request("GET", url))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(pool.request("GET", url))
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


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without a cancel:", outcome(False))
    print("with a cancel:", outcome(True))
