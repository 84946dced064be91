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
import time
from collections.abc import Callable, Mapping
from threading import Lock, Thread
from typing import Any, NamedTuple

from ...net import Address, StreamListener
from ...net.conn import name_not_found
from ...net.real.loop import SocketLoop
from ...net.real.sockets import SocketNet
from ...web.serving.hosting import accept
from ...web.serving.site import Site, places
from .interfaces import BACKLOG, Meter, Socket
from .interfaces import Lock as AnyLock


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


class StandardWorld:
    """A `World` of the standard library; its sockets resolve host names by `hosts`."""

    def __init__(self, server: Address, *others: Any) -> None:
        self.hosts = Hosts(server, *others)
        self.meter = Meter()
        self.selectors = selectors
        self.queue = queue
        self.lock = Lock()
        self.open = self.alive = 0
        self._start = time.monotonic()

    @property
    def address(self) -> Address:
        """The address of the server."""
        return self.hosts.server

    @property
    def socket(self) -> Sockets:
        return Sockets(self)

    @property
    def threading(self) -> StandardWorld:
        return self

    def Thread(self, *, target: Callable[..., object], args: tuple[Any, ...] = ()) -> Thread:  # noqa: N802
        return CountedThread(self, target, args)

    def Lock(self) -> AnyLock:  # noqa: N802
        return Lock()

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


class Sockets:
    """The functions of the module `socket` that a rung calls."""

    def __init__(self, world: StandardWorld) -> None:
        self._world = world

    def socket(self) -> CountedSocket:
        return CountedSocket(self._world)

    def socketpair(self) -> tuple[Socket, Socket]:
        return socket.socketpair()


class CountedSocket(socket.socket):
    """A `socket.socket` that counts its calls and resolves host names by `Hosts`."""

    def __init__(self, world: StandardWorld) -> None:
        super().__init__()
        self._world = world
        self._asked = False

    def connect(self, address: Any, /) -> None:
        with self._world.lock:
            self._world.open += not self._asked
            self._asked = True
            meter = self._world.meter
            meter.concurrency = max(meter.concurrency, self._world.open)
        found = self._world.hosts.find(address)
        self._counted(lambda: super(CountedSocket, self).connect(found))

    def send(self, data: Any, flags: int = 0, /) -> int:
        sent: int = self._counted(lambda: super(CountedSocket, self).send(data, flags))
        return sent

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        data: bytes = self._counted(lambda: super(CountedSocket, self).recv(bufsize, flags))
        return data

    def close(self) -> None:
        if self._asked:
            with self._world.lock:
                self._asked = False
                self._world.open -= 1
        super().close()

    def _counted(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except BlockingIOError:
            with self._world.lock:
                self._world.meter.vain += 1
            raise


class CountedThread(Thread):
    """A `threading.Thread` that is counted."""

    def __init__(self, world: StandardWorld, target: Callable[..., object], args: tuple[Any, ...]) -> None:
        super().__init__(daemon=True)
        self._world = world
        self._call: Callable[[], object] = lambda: target(*args)

    def run(self) -> None:
        world = self._world
        with world.lock:
            world.alive += 1
            world.meter.threads = max(world.meter.threads, world.alive)
        try:
            self._call()
        finally:
            with world.lock:
                world.alive -= 1
