"""Teaching code: the real environment: the standard library's sockets, selectors and threads, with counters.

The web server of the simulated environment serves the site on loopback, on a loop in real time, in its own thread.  The
host names of the site do not exist outside: a socket that connects to one connects to that server, or fails as the site
says.  So a rung and its URLs are the same in both environments.

Any, throughout: the signatures of the standard library.
"""

from __future__ import annotations

import queue
import selectors
import socket
import threading
import time
from collections.abc import Callable, Mapping
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from ...net import Address, StreamListener
from ...net.conn import name_not_found
from ...net.real.loop import SocketLoop
from ...net.real.sockets import SocketNet
from ...web.serving.hosting import accept
from ...web.serving.site import Site, places
from .meter import BACKLOG, Meter, MeteredWorld

T = TypeVar("T")


class Hosts(NamedTuple):
    """The addresses on this machine that stand for the addresses of a site.

    `places` maps each address of the site to whether a server listens there.  If so, it is `server`; if not,
    `closed`, where no server listens.  Without `places`, each address is `server`.
    """

    server: Address
    closed: Address = ("127.0.0.1", 1)
    places: Mapping[Address, bool] | None = None

    def find(self, place: Address) -> Address:
        """The address on this machine; a result maps to itself.  Raises socket.gaierror for an unknown host."""
        if place in (self.server, self.closed):
            return place
        if self.places is None or self.places.get(place):
            return self.server
        if any(host == place[0] for host, _ in self.places):
            return self.closed
        raise name_not_found(place[0])


class StandardWorld(MeteredWorld):
    """A `World` of the standard library; its sockets resolve host names by `hosts`."""

    DefaultSelector = staticmethod(selectors.DefaultSelector)
    Lock = staticmethod(threading.Lock)
    socketpair = staticmethod(socket.socketpair)

    def __init__(self, server: Address, *others: Any) -> None:
        super().__init__()
        self.hosts = Hosts(server, *others)
        self._start = time.monotonic()

    def socket(self) -> CountedRealSocket:
        return CountedRealSocket(self.hosts, self.meter)

    def Thread(self, *, target: Callable[..., object], args: tuple[Any, ...] = ()) -> CountedThread:  # noqa: N802
        return CountedThread(self.meter, target=target, args=args)

    def SimpleQueue(self) -> queue.SimpleQueue[Any]:  # noqa: N802
        return queue.SimpleQueue()

    def time(self) -> float:
        return time.monotonic() - self._start

    def switch(self) -> None:
        time.sleep(0)


class RealWorld(StandardWorld):
    """The standard environment with `site` served on loopback; call `close` at the end."""

    def __init__(self, site: Site) -> None:
        self._loop = SocketLoop()
        listener = SocketNet(self._loop).listen(("127.0.0.1", 0), BACKLOG)
        self._server = self._loop.create_task(accept(site, StreamListener(listener, self._loop)))
        self._server.add_done_callback(lambda server: self._loop.stop())
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._closed_port = socket.socket()
        self._closed_port.bind(("127.0.0.1", 0))  # reserves a port at which each connect is refused
        super().__init__(listener.address, self._closed_port.getsockname(), places(site))

    def close(self) -> None:
        """End the server."""
        self._loop.call_soon_threadsafe(self._server.cancel)
        self._thread.join()
        self._loop.close()
        self._closed_port.close()


class CountedRealSocket(socket.socket):
    """A `socket.socket` that counts its calls and resolves host names by `Hosts`."""

    def __init__(self, hosts: Hosts, meter: Meter) -> None:
        super().__init__()
        self._hosts = hosts
        self._meter = meter
        self._asked = False

    def connect(self, address: Any, /) -> None:
        self._meter.connections(not self._asked)
        self._asked = True
        self._counted(super().connect, self._hosts.find(address))

    def send(self, *data: Any) -> int:
        return self._counted(super().send, *data)

    def recv(self, *bufsize: Any) -> bytes:
        return self._counted(super().recv, *bufsize)

    def close(self) -> None:
        self._meter.connections(-self._asked)
        self._asked = False
        super().close()

    def _counted(self, call: Callable[..., T], *args: Any) -> T:
        try:
            return call(*args)
        except BlockingIOError:
            self._meter.in_vain()
            raise


class CountedThread(Thread):
    """A `threading.Thread` that is counted."""

    def __init__(self, meter: Meter, **call: Any) -> None:
        super().__init__(daemon=True, **call)
        self._meter = meter

    def run(self) -> None:
        self._meter.running(+1)
        try:
            super().run()
        finally:
            self._meter.running(-1)
