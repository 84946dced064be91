"""Teaching code: the real world of the ladder: the standard library's sockets, selectors and threads, counted.

Theory of operation.  The same web server as in the simulated world serves the site on loopback, on a loop in real
time, in a thread of its own.  The names of the site mean nothing to the machine: a socket that is told to connect to
one connects to that server.  So a rung, and the URLs it fetches, are the same in both worlds.
"""

from __future__ import annotations

import queue
import selectors
import socket
import time
from collections.abc import Callable
from threading import Lock, Thread
from typing import Any, Final

from ..net import Address, StreamListener
from ..net.real import SocketLoop
from ..net.sockets import SocketNet
from ..web.hosting import accept
from ..web.site import Site
from .world import Meter

#: So many connections may wait to be accepted.
BACKLOG: Final = 1000


class StandardWorld:
    """`world.World` of the standard library; its sockets connect to `address`, whatever they are told."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.meter = Meter()
        self.selectors = selectors
        self.queue = queue
        self.lock = Lock()
        self.open = self.alive = 0
        self._start = time.monotonic()

    @property
    def socket(self) -> Sockets:
        return Sockets(self)

    @property
    def threading(self) -> StandardWorld:
        return self

    # Any, here and below: the arguments are the thread's affair, as in the standard library.
    def Thread(self, *, target: Callable[..., object], args: tuple[Any, ...] = ()) -> Thread:  # noqa: N802
        return CountedThread(self, target, args)

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
        super().__init__(listener.address)

    def close(self) -> None:
        """End the server."""
        self._loop.call_soon_threadsafe(self._server.cancel)
        self._thread.join()
        self._loop.close()


class Sockets:
    """The module `socket`, as far as a rung sees it."""

    def __init__(self, world: StandardWorld) -> None:
        self._world = world

    def socket(self) -> CountedSocket:
        return CountedSocket(self._world)


class CountedSocket(socket.socket):
    """`socket.socket` that counts, and connects to the world's server."""

    def __init__(self, world: StandardWorld) -> None:
        super().__init__()
        self._world = world
        self._asked = False

    def connect(self, address: Any, /) -> None:  # Any: the standard library's signature
        with self._world.lock:
            self._asked = True
            self._world.open += 1
            meter = self._world.meter
            meter.concurrency = max(meter.concurrency, self._world.open)
        self._counted(lambda: super(CountedSocket, self).connect(self._world.address))

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
