"""Two proxies, of tasks on the simulated network, and of threads on loopback; each records the heads of requests."""

from __future__ import annotations

import socket
import socketserver
import threading
from contextlib import suppress
from typing import Final

from impl import Loop, create_task
from impl.crawl.pool import Pool
from impl.net import ByteStream, SimulatedNet, StreamListener, open_stream
from impl.web.http import Response

from ....crawls.server import Background

NAME: Final = "proxy.test"
PORT: Final = 3128
_BLOCK: Final = 65536
_END: Final = b"\r\n\r\n"
#: Headers of one connection or one coding, which a pool has undone.
_OWN: Final = (b"connection", b"content-encoding", b"content-length", b"transfer-encoding", b"keep-alive")

Head = list[str]


def lines(head: bytes) -> Head:
    return head.decode("ascii").removesuffix("\r\n\r\n").split("\r\n")


class SimulatedProxy:
    """A proxy at NAME and PORT of `net`; with a `refusal`, a status, it refuses every request.

    To a request for an origin, without a host in its target, it answers 400.
    """

    def __init__(self, net: SimulatedNet, loop: Loop, refusal: int | None = None) -> None:
        self.heads: list[Head] = []
        self.connections = 0
        self._net = net
        self._loop = loop
        self._refusal = refusal
        self._pool = Pool(net, loop)
        net.add_host(NAME)
        loop.create_task(self._accept(StreamListener(net.listen((NAME, PORT)), loop)))

    async def _accept(self, listener: StreamListener) -> None:
        async with listener:
            while True:
                stream = await listener.accept()
                self.connections += 1
                create_task(self._serve(stream))

    async def _serve(self, stream: ByteStream) -> None:
        with suppress(OSError):
            async with stream:
                while head := await self._head(stream):
                    await self._obey(stream, head)

    async def _head(self, stream: ByteStream) -> Head | None:
        received = b""
        while not received.endswith(_END):
            data = await stream.receive_some()
            if not data:
                return None
            received += data
        self.heads.append(lines(received))
        return self.heads[-1]

    async def _obey(self, stream: ByteStream, head: Head) -> None:
        method, target, _ = head[0].split()
        refusal = 400 if target.startswith("/") else self._refusal
        if refusal is not None:
            await stream.send_all(b"HTTP/1.1 %d No\r\nContent-Length: 0\r\n\r\n" % refusal)
        elif method == "CONNECT":
            host, _, port = target.rpartition(":")
            async with await open_stream(self._net, self._loop, host, int(port)) as origin:
                await stream.send_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
                back = create_task(_relay(origin, stream))
                await _relay(stream, origin)
                await back
        else:
            await stream.send_all(_rendered(await self._pool.get(target)))


async def _relay(source: ByteStream, sink: ByteStream) -> None:
    with suppress(OSError):
        while data := await source.receive_some():
            await sink.send_all(data)
    with suppress(OSError):
        await sink.send_eof()


def _rendered(response: Response) -> bytes:
    headers = [header for header in response.headers if header[0] not in _OWN]
    headers.append((b"content-length", b"%d" % len(response.body)))
    head = b"".join(b"%s: %s\r\n" % header for header in headers)
    return b"HTTP/1.1 %d Answer\r\n%s\r\n%s" % (response.status, head, response.body)


class RealProxy(Background["_Listener"]):
    """A proxy on loopback, for the duration of its context: every name leads to the server at `origin`."""

    def __init__(self, origin: tuple[str, int]) -> None:
        super().__init__(_Listener(("127.0.0.1", 0), _Conversation))
        self._server.origin, self._server.heads = origin, []

    @property
    def heads(self) -> list[Head]:
        return self._server.heads

    @property
    def port(self) -> int:
        port: int = self._server.server_address[1]
        return port


class _Listener(socketserver.ThreadingTCPServer):
    origin: tuple[str, int]
    heads: list[Head]


class _Conversation(socketserver.BaseRequestHandler):
    server: _Listener
    request: socket.socket

    def handle(self) -> None:
        received = b""
        while not received.endswith(_END):
            data = self.request.recv(_BLOCK)
            if not data:
                return
            received += data
        head = lines(received)
        self.server.heads.append(head)
        with suppress(OSError), socket.create_connection(self.server.origin) as origin:
            if head[0].startswith("CONNECT "):
                self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                kept = [line for line in head if not line.startswith("Proxy-")]
                origin.sendall("\r\n".join([*kept, "Connection: close", "", ""]).encode())
            back = threading.Thread(target=_copy, args=(origin, self.request))
            back.start()
            _copy(self.request, origin)
            back.join()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(_BLOCK):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
