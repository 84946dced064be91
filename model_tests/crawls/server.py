"""A real server on 127.0.0.1 for the runtimes that need one, and the table that they use to dial it.

1. One listening socket serves all sites: a connection is answered from the site that was dialled last, so thousands of
   sites cost no setup.  So only one crawl may run at a time; one that was killed is waited for by `settle`.
2. A thread for each connection pumps `impl.web.serving.server` over blocking calls: the simplest pump, and none of the
   runtimes under test.  A reset is a real one (SO_LINGER 0 makes close send RST), a pause is a real sleep.
3. The names of a site mean nothing to the machine and are never looked up.  `dial` returns a `Dial` in their place.
   The address of a listening place is the server's.  The address of a refusing place is a port that is bound and does
   not listen, so that no other process can take it.  Other names have no address.
4. Leaving the context stops the server and waits for its threads (`Background`, which serves any socketserver so).
"""

from __future__ import annotations

import socket
import socketserver
import ssl
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Generic, Self, TypeVar

from impl.web.http import Send
from impl.web.serving.commands import Command, HalfClose, Hang, Pause, Reset
from impl.web.serving.faults import served
from impl.web.serving.server import serve
from impl.web.serving.site import Site, places

S = TypeVar("S", bound=socketserver.BaseServer)

#: The seconds within which a server notices that it must stop.
_POLL_S: Final = 0.02


class Background(Generic[S]):
    """Serves while its context lasts; leaving it waits for the threads of all connections; each ends with its
    client.
    """

    def __init__(self, server: S) -> None:
        self._server = server
        # A daemon, so that a Ctrl-C between its start and the body of `with` does not block the exit.
        self._thread = threading.Thread(target=server.serve_forever, args=(_POLL_S,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


#: From the host and port of a URL to an address of this machine; it raises socket.gaierror for an unknown name.
Dial = Callable[[str, int], tuple[str, int]]

#: The limit in seconds of one try of a runtime: far more than a healthy answer on loopback takes.
TIMEOUT_S: Final = 30.0

_LOOPBACK: Final = "127.0.0.1"
_BACKLOG: Final = 128
_RECEIVE_BYTES: Final = 65536
#: struct linger: on, for 0 seconds.
_NO_LINGER: Final = struct.pack("ii", 1, 0)


class Connections(Background["_Listener"]):
    """A server on loopback that calls `serve` with each connection, in a thread of its own, and closes it afterwards.

    An OSError ends a connection: the client has disconnected.
    """

    def __init__(self, serve: Callable[[socket.socket], object]) -> None:
        super().__init__(_Listener((_LOOPBACK, 0), _Connection))
        self._server.serve = serve

    @property
    def address(self) -> tuple[str, int]:
        """Return where it listens, for a client that dials by itself."""
        address: tuple[str, int] = self._server.socket.getsockname()
        return address

    def settle(self) -> None:
        """Wait until no connection is left of clients that have ended, be it accepted or not."""
        # The server accepts connections first in, first out: this is the last one.
        with socket.create_connection(self.address) as last:
            last.shutdown(socket.SHUT_WR)
            last.recv(1)
        self._server.settle()


class _Listener(socketserver.ThreadingTCPServer):
    request_queue_size = _BACKLOG
    serve: Callable[[socket.socket], object]

    def __init__(self, address: tuple[str, int], connection: type[_Connection]) -> None:
        super().__init__(address, connection)
        self._open = 0
        self._changed = threading.Condition()

    def settle(self) -> None:
        """Wait until each accepted connection has ended."""
        with self._changed:
            self._changed.wait_for(lambda: not self._open)

    def process_request(self, request: Any, client_address: Any) -> None:  # Any: as socketserver's
        with self._changed:
            self._open += 1
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._changed:
                self._open -= 1
                self._changed.notify_all()


class _Connection(socketserver.BaseRequestHandler):
    server: _Listener
    request: socket.socket

    def handle(self) -> None:
        with suppress(OSError):
            self.server.serve(self.request)


class Server(Connections):
    """The server of a site, while its context lasts; with a `context`, it speaks TLS.

    `settle`: a site that is dialled afterwards answers no connection of before.
    """

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self._dead = socket.socket()
        self._dead.bind((_LOOPBACK, 0))
        super().__init__(self._converse)
        self._context = context
        self._site = Site({}, ())
        self._pace = 1.0

    def dial(self, site: Site, *, pace: float = 1.0) -> Dial:
        """Serve `site` from now on; return its dial table.

        `pace`: the seconds that pass for a second of its latencies and of its faults' pauses.
        """
        self._site, self._pace = served(site), pace
        listening = places(site)
        names = {host for host, _ in listening}

        def dial(host: str, port: int) -> tuple[str, int]:
            if host not in names:
                raise socket.gaierror(socket.EAI_NONAME, f"no host of the site has this name: {host!r}")
            there = self._server.socket if listening.get((host, port)) else self._dead
            address: tuple[str, int] = there.getsockname()
            return address

        return dial

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._dead.close()

    def _converse(self, connection: socket.socket) -> None:
        """Answer request after request, until either side closes the connection."""
        if self._context is None:
            self._pump(connection)
        else:
            with self._context.wrap_socket(connection, server_side=True) as secure:
                self._pump(secure)
                if secure.fileno() >= 0:  # else it was reset
                    secure.unwrap()  # sends close_notify, on which a body may depend

    def _pump(self, connection: socket.socket) -> None:
        dialogue = serve(self._site)
        answer: bytes | None = None
        try:
            while True:
                answer = self._obey(connection, dialogue.send(answer))
        except StopIteration:
            pass

    def _obey(self, connection: socket.socket, command: Command) -> bytes | None:
        """Execute the dialogue's command; return the value to send back.

        Raises:
            StopIteration: there is nothing more to do.
        """
        match command:
            case Send(data):
                connection.sendall(data)
            case Pause(ms):
                time.sleep(ms / 1000 * self._pace)
            case HalfClose():
                connection.shutdown(socket.SHUT_WR)
            case Reset():
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
                connection.close()
                raise StopIteration
            case Hang():
                while connection.recv(_RECEIVE_BYTES):
                    pass
                raise StopIteration
            case _:
                return connection.recv(_RECEIVE_BYTES)
        return None
