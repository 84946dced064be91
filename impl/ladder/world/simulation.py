"""Teaching code: the simulated environment: one clock, one network, threads that pass a baton.

The package's web server (`serving.hosting`) runs as tasks of a `Loop` in virtual time; a rung runs outside of it.
While a rung blocks in a socket, a selector or a queue, the environment runs iterations of that loop until the rung can
continue.  So a blocking call moves the clock and takes no real time.

1.  A socket is a non-blocking one of the simulated network (`net/simulated/socket.py`) that blocks: a blocking call
    waits with `block`, which lets other threads and the clock run.  A non-blocking call that finds nothing ready raises
    BlockingIOError, as the operating system does, and takes virtual time, so a program that polls makes progress.
2.  A descriptor is the lowest free number (POSIX, 2.14): a program that forgets to unregister a closed one meets it
    again.
3.  The error of a connect is kept until a call raises it or SO_ERROR returns it (connect(2)).  A socket that is not
    connected is ready for everything, because each call fails at once; so is one with a failed connect.
4.  A pair of sockets (`socketpair`) has no network between its two, so no time passes.
5.  A selector reports a level, not a change: a socket is reported for as long as it is ready.
6.  The system forgets a closed socket, the selector does not: its descriptor stays registered, and nothing is reported
    of it (epoll(7)).  The next socket with that number cannot be registered.

Any, throughout: the standard library's types for data and arguments that it passes on.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from heapq import heappop, heappush
from selectors import SelectorKey, SelectSelector
from typing import Any, Final, TypeVar

from ...loop import NS_PER_SECOND, Loop
from ...net import READ, WRITE, Address, NetworkConditions, SimulatedNet
from ...net.conn import os_error
from ...net.simulated.socket import Data, TimeoutSocket
from ...sim.choices import Choices
from ...tasks.callback import Callback
from ...tasks.current import set_running_loop
from ...web.serving.hosting import host
from ...web.serving.site import Site
from .meter import BACKLOG, MeteredWorld
from .threads import Scheduler, SimLock, SimQueue, SimThread

S = TypeVar("S", bound="SimulatedSocket")

#: The cost of a call that finds nothing ready, in virtual nanoseconds: a system call and the loop around it.
ATTEMPT_NS: Final = 50_000

#: How many calls of `select` with a time-out of 0 may find nothing at one instant before they take time.
LOOKS: Final = 1000


class SimulatedWorld(MeteredWorld):
    """A `World` in virtual time, with `site` on its network; call `close` at the end.

    `by_fd` holds the open sockets by their descriptor.
    """

    def __init__(self, site: Site, choices: Choices | None = None, conditions: NetworkConditions | None = None) -> None:
        choices = choices or Choices.plain()
        self.loop = Loop(choices)
        super().__init__()
        self.net = SimulatedNet(self.loop, choices, conditions or NetworkConditions())
        self.by_fd: dict[int, SimulatedSocket] = {}
        self._freed: list[int] = []  # a heap of the numbers that were used and are free
        self._scheduler = Scheduler(lambda: self._inside(self.loop.turn), choices.schedule, self.meter)
        self._looks = self._looked_at = 0
        self._inside(lambda: host(site, self.net, self.loop, BACKLOG))

    def socket(self) -> SimulatedSocket:
        """A new TCP socket, blocking.

        Its connect takes host names.  For an unknown one it raises socket.gaierror at once, even if the socket is
        non-blocking, because SO_ERROR has no number for it.
        """
        return self._made(SimulatedSocket)

    def socketpair(self) -> tuple[SimulatedSocket, SimulatedSocket]:
        """Two sockets that are connected to each other; they are not counted as connections."""
        one, other = self._made(PairedSocket), self._made(PairedSocket)
        one.other, other.other = other, one
        return one, other

    def DefaultSelector(self) -> SimSelector:  # noqa: N802  # here and below: the standard library's names
        return SimSelector(self)

    def Thread(self, *, target: Callable[..., object], args: tuple[Any, ...] = ()) -> SimThread:  # noqa: N802
        return SimThread(self._scheduler, target, *args)

    def Lock(self) -> SimLock:  # noqa: N802
        return SimLock(self._scheduler)

    def SimpleQueue(self) -> SimQueue:  # noqa: N802
        return SimQueue(self._scheduler)

    def time(self) -> float:
        return self.loop.now / NS_PER_SECOND

    def switch(self) -> None:
        """A point at which the operating system may switch to another thread."""
        self._scheduler.wait(lambda: True)

    def close(self) -> None:
        """End the threads and the servers."""
        self._scheduler.close()
        self.loop.close()

    def block(self, seconds: float | None, until: Callable[[], bool]) -> None:
        """Let threads and the clock run until `until()` holds, or for `seconds`."""
        if seconds is None:
            self._scheduler.wait(until)
            return
        # Any time that is left is at least 1 ns: a program that waits for the rest of a second may have less left.
        due = self.loop.now + (max(1, round(seconds * NS_PER_SECOND)) if seconds > 0 else 0)
        alarm = Callback(lambda: None)
        self.loop.at(due, alarm)
        try:
            self._scheduler.wait(lambda: self.loop.now >= due or until())
        finally:
            alarm.cancel()

    def attempt(self) -> None:
        """Let ATTEMPT_NS pass, the time of a call that finds nothing ready."""
        self.block(ATTEMPT_NS / NS_PER_SECOND, lambda: False)

    def looked(self) -> None:
        """Called after a `select(0)` that found nothing; lets time pass after LOOKS of them at one instant."""
        if self._looked_at != self.loop.now:
            self._looked_at, self._looks = self.loop.now, 0
        self._looks += 1
        if self._looks > LOOKS:
            self.attempt()
            self._looked_at = self.loop.now

    def _inside(self, call: Callable[[], None]) -> None:
        """Call a function with this loop as the running loop."""
        before = set_running_loop(self.loop)
        try:
            call()
        finally:
            set_running_loop(before)

    def released(self, fd: int) -> None:
        """Called when the socket with that number is closed."""
        del self.by_fd[fd]
        heappush(self._freed, fd)

    def _made(self, kind: type[S]) -> S:
        fd = heappop(self._freed) if self._freed else 3 + len(self.by_fd)
        self.by_fd[fd] = made = kind(self, fd)
        return made


class SimulatedSocket(TimeoutSocket):
    """`socket.socket` of the simulated environment."""

    def __init__(self, world: SimulatedWorld, fd: int) -> None:
        super().__init__(world.net, fd)
        self._world = world
        self._counted = False  # among the connections that are open or connecting

    def connect(self, address: Address, /) -> None:
        """Connect; a non-blocking socket raises BlockingIOError (EINPROGRESS) and connects in the background.

        It also resolves the name in the background, where the system's connect would wait; only for an unknown name
        it waits.

        Raises:
            OSError: EBADF, EALREADY, EISCONN; see also `impl.net.conn`, connect and resolve.
        """
        self.raise_error()
        self.check_unconnected()
        if not self._counted:
            self._counted = True
            self._world.meter.connections(+1)
        host, port = address
        self.request = self.net.resolve(host, lambda found: self._resolved(found, port))
        if self.getblocking():
            self._wait(WRITE)
        elif not self.net.exists(host):
            self._world.block(None, lambda: self.request is None)
        else:
            raise self._in_vain(errno.EINPROGRESS)
        self.raise_error()

    def send(self, data: bytes, /) -> int:
        """Send a prefix of `data`; returns its length."""
        while True:
            if self._is_connected(errno.EPIPE) and (sent := self.try_send(data)) is not None:
                return sent
            self._wait(WRITE)

    def recv(self, bufsize: int, /) -> bytes:
        """Receive at most `bufsize` bytes; b"" is the end."""
        while True:
            if self._is_connected(errno.ENOTCONN) and (data := self.try_recv(bufsize)) is not None:
                return data
            self._wait(READ)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._world.released(self._number)
            self._world.meter.connections(-self._counted)

    def _is_connected(self, otherwise: int) -> bool:
        """False while it connects; raises OSError(`otherwise`) if it does not even connect."""
        self.raise_error()
        if self.request is None and self.conn is None:
            raise os_error(otherwise)
        return self.request is None

    def _wait(self, what: int) -> None:
        """Wait until the socket is ready for `what`; raises BlockingIOError or TimeoutError."""
        if not self.getblocking():
            raise self._in_vain(errno.EAGAIN)
        self._world.block(self._timeout, lambda: bool(self.ready() & what))
        if not self.ready() & what:
            raise TimeoutError("timed out")

    def _in_vain(self, code: int) -> OSError:
        """Count a call that found nothing ready; returns its error."""
        self._world.meter.in_vain()
        self._world.attempt()
        return os_error(code)

    def _resolved(self, found: tuple[str, ...] | OSError, port: int) -> None:
        self.request = None
        if isinstance(found, OSError):
            self.error = found
        else:
            self.begin_connect((found[0], port), self.answered)


class PairedSocket(SimulatedSocket):
    """One of a pair, which is always connected: the other can receive its bytes at once."""

    other: PairedSocket
    _arrived = b""

    def ready(self) -> int:
        return WRITE | (READ if self._arrived or self.other.closed or self.closed else 0)

    def try_send(self, data: Data) -> int:
        if self.other.closed:
            raise os_error(errno.EPIPE)
        self.other._arrived += data
        return len(data)

    def try_recv(self, size: int) -> bytes | None:
        data, self._arrived = self._arrived[:size], self._arrived[size:]
        return data or (b"" if self.other.closed else None)

    def check_unconnected(self) -> None:
        self.check_open()
        raise os_error(errno.EISCONN)

    def _is_connected(self, otherwise: int) -> bool:
        self.check_open()
        return True


class SimSelector(SelectSelector):
    """`selectors.DefaultSelector` of the simulated environment."""

    def __init__(self, world: SimulatedWorld) -> None:
        super().__init__()
        self._world = world
        self._watched: dict[int, tuple[SelectorKey, SimulatedSocket]] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> SelectorKey:
        """Register a descriptor; raises as every selector does, and OSError if it is not open."""
        key = super().register(fileobj, events, data)
        if key.fd not in self._world.by_fd:
            super().unregister(fileobj)
            raise os_error(errno.EBADF)
        self._watched[key.fd] = key, self._world.by_fd[key.fd]
        return key

    def unregister(self, fileobj: Any) -> SelectorKey:
        key = super().unregister(fileobj)
        del self._watched[key.fd]
        return key

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """The keys that are ready, in order of registration; waits at most `timeout` seconds for one."""
        if timeout is None or timeout > 0:
            self._world.block(timeout, lambda: bool(self._ready()))
        elif not self._ready():
            self._world.looked()
        return self._ready()

    def _ready(self) -> list[tuple[SelectorKey, int]]:
        found = []
        for key, sock in self._watched.values():
            if sock.fileno() == key.fd and (mask := sock.ready() & key.events):
                found.append((key, mask))
        return found
