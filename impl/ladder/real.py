"""Teaching code: the real world of the ladder: the standard library's sockets, selectors and threads, counted.

Theory of operation.  The same web server as in the simulated world serves the site on loopback, on a loop in real
time, in a thread of its own.  The names of the site mean nothing to the machine: a socket that is told to connect to
one connects to that server, or fails as the site says.  So a rung, and the URLs it fetches, are the same in both
worlds.
"""

from __future__ import annotations

import queue
import selectors
import socket
import time
from collections.abc import Callable, Mapping
from threading import Lock, Thread
from typing import Any, NamedTuple

from ..net import Address, StreamListener
from ..net.conn import name_not_found
from ..net.real.loop import SocketLoop
from ..net.real.sockets import SocketNet
from ..web.hosting import accept
from ..web.site import Site, places
from .world import BACKLOG, Meter, Socket
from .world import Lock as AnyLock


class Hosts(NamedTuple):
    """Where the places of a site are on this machine.

    `places` says which exist, and whether somebody listens there: that is `server`, while nobody does at `nobody`.
    Without `places`, every place is the server's.
    """

    server: Address
    nobody: Address = ("127.0.0.1", 1)
    places: Mapping[Address, bool] | None = None

    def find(self, place: Address) -> Address:
        """What was found is found again; raises socket.gaierror when there is no such host."""
        if place in (self.server, self.nobody):
            return place
        if self.places is None or self.places.get(place):
            return self.server
        if any(host == place[0] for host, _ in self.places):
            return self.nobody
        raise name_not_found(place[0])


class StandardWorld:
    """`world.World` of the standard library; for its sockets, names mean what its `Hosts` say."""

    def __init__(self, server: Address, *others: Any) -> None:  # Any: the other fields of Hosts
        self.hosts = Hosts(server, *others)
        self.meter = Meter()
        self.selectors = selectors
        self.queue = queue
        self.lock = Lock()
        self.open = self.alive = 0
        self._start = time.monotonic()

    @property
    def address(self) -> Address:
        """Where the server is."""
        return self.hosts.server

    @property
    def socket(self) -> Sockets:
        return Sockets(self)

    @property
    def threading(self) -> StandardWorld:
        return self

    # Any, here and below: the arguments are the thread's affair, as in the standard library.
    def Thread(self, *, target: Callable[..., object], args: tuple[Any, ...] = ()) -> Thread:  # noqa: N802
        return CountedThread(self, target, args)

    def Lock(self) -> AnyLock:  # noqa: N802
        return Lock()

    def time(self) -> float:
        return time.monotonic() - self._start

    def switch(self) -> None:
        time.sleep(0)


class RealWorld(StandardWorld):
    """The standard world with `site` served on loopback; `close` it at the end."""

    def __init__(self, site: Site) -> None:
        self._loop = SocketLoop()
        listener = SocketNet(self._loop).listen(("127.0.0.1", 0), BACKLOG)
        self._server = self._loop.create_task(accept(site, StreamListener(listener, self._loop)))
        self._server.add_done_callback(lambda server: self._loop.stop())
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._nobody = socket.socket()
        self._nobody.bind(("127.0.0.1", 0))  # so nobody else gets the port, and who connects to it is refused
        super().__init__(listener.address, self._nobody.getsockname(), places(site))

    def close(self) -> None:
        """End the server."""
        self._loop.call_soon_threadsafe(self._server.cancel)
        self._thread.join()
        self._loop.close()
        self._nobody.close()


class Sockets:
    """The module `socket`, as far as a rung sees it."""

    def __init__(self, world: StandardWorld) -> None:
        self._world = world

    def socket(self) -> CountedSocket:
        return CountedSocket(self._world)

    def socketpair(self) -> tuple[Socket, Socket]:
        return socket.socketpair()


class CountedSocket(socket.socket):
    """`socket.socket` that counts, and connects where the world's hosts are."""

    def __init__(self, world: StandardWorld) -> None:
        super().__init__()
        self._world = world
        self._asked = False

    def connect(self, address: Any, /) -> None:  # Any: the standard library's signature
        with self._world.lock:
            self._world.open += not self._asked
            self._asked = True
            meter = self._world.meter
            meter.concurrency = max(meter.concurrency, self._world.open)
        found = self._world.hosts.find(address)
        self._counted(lambda: super(CountedSocket, self).connect(found))

    def send(self, data: Any, flags: int = 0, /) -> int:  # Any: as in connect
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

    def _counted(self, call: Callable[[], Any]) -> Any:  # Any: what the call returns
        try:
            return call()
        except BlockingIOError:
            with self._world.lock:
                self._world.meter.vain += 1
            raise


class CountedThread(Thread):
    """`threading.Thread` that counts."""

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
