"""Teaching code: sockets and selectors of the simulated environment.

1.  A socket is a non-blocking `Conn` of the simulated network.  A blocking call waits with `block`, which lets other
    threads and the clock run.  A non-blocking call that finds nothing ready raises BlockingIOError, as the operating
    system does, and takes virtual time, so a program that polls makes progress.
2.  A descriptor is the lowest free number (POSIX, 2.14): a program that forgets to unregister a closed one meets it
    again.
3.  The error of a connect is kept until a call raises it or SO_ERROR returns it (connect(2)).  A socket that is not
    connected is ready for everything, because each call fails at once; so is one whose connect has failed.
4.  A pair of sockets (`socketpair`) has no network between its two, so no time passes.
5.  A selector reports a level, not a change: a socket is reported for as long as it is ready.
6.  The system forgets a closed socket, the selector does not: its descriptor stays registered, and nothing is reported
    of it (epoll(7)).  The next socket with that number cannot be registered.

Any, throughout: the data that a program registers.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from heapq import heappop, heappush
from selectors import SelectorKey, SelectSelector
from typing import Any, TypeVar

from ...net import READ, WRITE, SimulatedNet
from ...net.conn import os_error
from ...net.simulated.socket import Data, TimeoutSocket
from .interfaces import Address, Meter

S = TypeVar("S", bound="SimSocket")


class SimSockets:
    """The part of an environment that has sockets and selectors; `by_fd` holds the open ones by their descriptor."""

    def __init__(self, net: SimulatedNet) -> None:
        self.net = net
        self.meter = Meter()
        self.by_fd: dict[int, SimSocket] = {}
        self._freed: list[int] = []  # a heap of the numbers that were used and are free

    def socket(self) -> SimSocket:
        return self._made(SimSocket)

    def socketpair(self) -> tuple[SimSocket, SimSocket]:
        """They are not counted as connections."""
        one, other = self._made(PairedSocket), self._made(PairedSocket)
        one.other, other.other = other, one
        return one, other

    def DefaultSelector(self) -> SimSelector:  # noqa: N802  # the standard library's name
        return SimSelector(self)

    def block(self, seconds: float | None, until: Callable[[], bool]) -> None:
        """Let threads and the clock run until `until()` holds, or for `seconds`."""
        raise NotImplementedError

    def attempt(self) -> None:
        """Let the time of a call that finds nothing ready pass."""
        raise NotImplementedError

    def looked(self) -> None:
        """Called after a `select` with a time-out of 0 that found nothing."""
        raise NotImplementedError

    def released(self, fd: int) -> None:
        """Called when the socket with that number is closed."""
        del self.by_fd[fd]
        heappush(self._freed, fd)

    def _made(self, kind: type[S]) -> S:
        fd = heappop(self._freed) if self._freed else 3 + len(self.by_fd)
        self.by_fd[fd] = made = kind(self, fd)
        return made


class SimSocket(TimeoutSocket):
    """`socket.socket` of the simulated environment."""

    def __init__(self, sockets: SimSockets, fd: int) -> None:
        super().__init__(sockets.net, fd)
        self._sockets = sockets
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
            self._sockets.meter.connections(+1)
        host, port = address
        self.request = self.net.resolve(host, lambda found: self._resolved(found, port))
        if self.getblocking():
            self._wait(WRITE)
        elif not self.net.exists(host):
            self._sockets.block(None, lambda: self.request is None)
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
            self._sockets.released(self._number)
            self._sockets.meter.connections(-self._counted)

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
        self._sockets.block(self._timeout, lambda: bool(self.ready() & what))
        if not self.ready() & what:
            raise TimeoutError("timed out")

    def _in_vain(self, code: int) -> OSError:
        """Count a call that found nothing ready; returns its error."""
        self._sockets.meter.in_vain()
        self._sockets.attempt()
        return os_error(code)

    def _resolved(self, found: tuple[str, ...] | OSError, port: int) -> None:
        self.request = None
        if isinstance(found, OSError):
            self.error = found
        else:
            self.begin_connect((found[0], port), self.answered)


class PairedSocket(SimSocket):
    """One of a pair, which is always connected: what it sends, the other can receive at once."""

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

    def __init__(self, sockets: SimSockets) -> None:
        super().__init__()
        self._sockets = sockets
        self._watched: dict[int, tuple[SelectorKey, SimSocket]] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> SelectorKey:
        """Register a descriptor; raises as every selector does, and OSError if it is not open."""
        key = super().register(fileobj, events, data)
        if key.fd not in self._sockets.by_fd:
            super().unregister(fileobj)
            raise os_error(errno.EBADF)
        self._watched[key.fd] = key, self._sockets.by_fd[key.fd]
        return key

    def unregister(self, fileobj: Any) -> SelectorKey:
        key = super().unregister(fileobj)
        del self._watched[key.fd]
        return key

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """The keys that are ready, in order of registration; waits at most `timeout` seconds for one."""
        if timeout is None or timeout > 0:
            self._sockets.block(timeout, lambda: bool(self._ready()))
        elif not self._ready():
            self._sockets.looked()
        return self._ready()

    def _ready(self) -> list[tuple[SelectorKey, int]]:
        found = []
        for key, sock in self._watched.values():
            if sock.fileno() == key.fd and (mask := sock.ready() & key.events):
                found.append((key, mask))
        return found
