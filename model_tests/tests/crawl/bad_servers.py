"""Servers that misbehave on loopback: each path of a site has a behaviour, written byte by byte.

A thread for each connection reads one request and gives the socket to the behaviour of its path; then the connection
is closed.  Requests, and the bytes sent, are counted by path.  Leaving the context waits for all threads; each ends
when its client disconnects.
"""

from __future__ import annotations

import socket
import socketserver
import ssl
import struct
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Final, Self

#: The limit in bytes of a behaviour that sends without end.
POUR_BYTES: Final = 100_000_000

_FOREVER_S: Final = 20.0
#: The number of bytes that the system may accept beyond what our client reads.
_SEND_BUFFER: Final = 64 * 1024
#: struct linger: on, for 0 seconds.
_NO_LINGER: Final = struct.pack("ii", 1, 0)


class Peer:
    """A connection from the server's side, after its request."""

    def __init__(self, sock: socket.socket, path: str, sent: Counter[str]) -> None:
        self.path = path
        self._sock = sock
        self._sent = sent

    def send(self, data: bytes) -> None:
        """Send all of it, piece by piece, and count the bytes that the client accepted."""
        rest = memoryview(data)
        while rest:
            taken = self._sock.send(rest)
            self._sent[self.path] += taken
            rest = rest[taken:]

    def pour(self, data: bytes) -> None:
        """Send it repeatedly, while the client accepts it."""
        block = data * max(1, 16_384 // len(data))
        while self._sent[self.path] < POUR_BYTES:
            self.send(block)

    def drip(self, data: bytes) -> None:
        """Send it every 20 ms, until the client disconnects."""
        while not self.client_left(0.02):
            self.send(data)

    def wait(self) -> None:
        """Wait until the client disconnects, up to a limit: other tests count descriptors."""
        self.client_left(_FOREVER_S)

    def client_left(self, patience_s: float) -> bool:
        """Wait until the client sends something or the time is over; return whether it has disconnected."""
        self._sock.settimeout(patience_s)
        try:
            return not self._sock.recv(65536)
        except TimeoutError:
            return False
        finally:
            self._sock.settimeout(None)

    def reset(self) -> None:
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        self._sock.close()


Behaviour = Callable[[Peer], None]


class BadServer:
    """A site of behaviours, for the duration of its context.

    Parameters:
        behaviours: by the first part of the path: "half" is what "/half" and "/half/more" do.
        context: speak TLS, if given.
    """

    def __init__(self, behaviours: Mapping[str, Behaviour], context: ssl.SSLContext | None = None) -> None:
        self._server = _Listener(("127.0.0.1", 0), _Conversation)
        self._server.behaviours, self._server.context = behaviours, context
        self._server.asked, self._server.sent = [], Counter()
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        #: The root of the site.
        self.root = f"{'https' if context else 'http'}://127.0.0.1:{self._server.server_address[1]}/"

    @property
    def asked(self) -> list[str]:
        """Return the paths of all requests, without their first slash, in order."""
        return self._server.asked

    @property
    def sent(self) -> Counter[str]:
        """Return how many bytes the client, or the system, accepted, by path."""
        return self._server.sent

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Listener(socketserver.ThreadingTCPServer):
    request_queue_size = 100
    behaviours: Mapping[str, Behaviour]
    context: ssl.SSLContext | None
    asked: list[str]
    sent: Counter[str]


class _Conversation(socketserver.BaseRequestHandler):
    server: _Listener
    request: socket.socket

    def handle(self) -> None:
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        try:
            if self.server.context is None:
                self._serve(self.request)
            else:
                with self.server.context.wrap_socket(self.request, server_side=True) as secure:
                    self._serve(secure)
        except OSError:
            pass  # the client disconnected

    def _serve(self, sock: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            if not (data := sock.recv(65536)):
                return
            head += data
        path = head.split()[1].decode().removeprefix("/")
        self.server.asked.append(path)
        self.server.behaviours[path.partition("/")[0]](Peer(sock, path, self.server.sent))
