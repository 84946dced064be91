"""Teaching code: `socket` of the simulated world.

Theory of operation.
1.  A socket is the non-blocking `Conn` of the simulated network.  A blocking call waits with `block`, which lets the
    other threads and the clock run; a non-blocking one that finds nothing ready raises BlockingIOError, as the
    operating system does, and costs `attempt_ns` of virtual time: so a program that polls gets somewhere.
2.  A descriptor is the lowest number that is free (POSIX, 2.14): whoever forgets to unregister a closed one will meet
    it again.
3.  The error of a connect is kept until a call raises it or SO_ERROR tells it (connect(2)).  A socket that is not
    connected is ready for all: every call fails at once.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from heapq import heappop, heappush
from types import TracebackType
from typing import Final

from ...net import READ, WRITE, Asked, Conn, SimulatedNet
from ...net.conn import os_error
from .interfaces import Address, Meter

RECEIVE_BYTES: Final = 65536


class SimSockets:
    """The sockets of one world, by descriptor.

    `block(seconds, until)` lets the world go on until that holds, or for so long; `attempt()` passes the time of an
    attempt in vain.
    """

    def __init__(
        self,
        net: SimulatedNet,
        block: Callable[[float | None, Callable[[], bool]], None],
        attempt: Callable[[], None],
        meter: Meter,
    ) -> None:
        self.net = net
        self.block = block
        self._attempt = attempt
        self._meter = meter
        self.by_fd: dict[int, SimSocket] = {}
        self.busy = 0
        self._freed: list[int] = []  # a heap: all that were given out and are free

    def socket(self) -> SimSocket:
        """A new TCP socket, blocking."""
        return self._made(None)

    def socketpair(self) -> tuple[SimSocket, SimSocket]:
        """Two sockets that are connected to each other; they do not count as connections."""
        one, other = LocalEnd(), LocalEnd()
        one.peer, other.peer = other, one
        return self._made(one), self._made(other)

    def in_vain(self, code: int) -> OSError:
        """The error of a call that found nothing ready."""
        self._meter.vain += 1
        self._attempt()
        return os_error(code)

    def _made(self, conn: LocalEnd | None) -> SimSocket:
        fd = heappop(self._freed) if self._freed else 3 + len(self.by_fd)
        self.by_fd[fd] = made = SimSocket(self, fd, conn)
        return made

    def connecting(self) -> None:
        self.busy += 1
        self._meter.concurrency = max(self._meter.concurrency, self.busy)

    def released(self, fd: int, counted: bool) -> None:
        del self.by_fd[fd]
        heappush(self._freed, fd)
        self.busy -= counted


class SimSocket:
    """`socket.socket` of the simulated world."""

    def __init__(self, sockets: SimSockets, fd: int, conn: LocalEnd | None = None) -> None:
        self._sockets = sockets
        self._fd = fd
        self._blocking = True
        self._timeout: float | None = None
        self._counted = False  # among the connections that are open, or being made
        self._asked: Asked | None = None  # while it is being made
        self._conn: Conn | LocalEnd | None = conn
        self._error: OSError | None = None
        self._unread: bytes | None = None  # taken from the connection in order to see whether it is readable
        self._full = False  # the connection has taken less than it was given, and not said that there is room
        self._closed = False

    def setblocking(self, flag: bool, /) -> None:
        self._blocking, self._timeout = flag, None

    def settimeout(self, value: float | None, /) -> None:
        """How long, in seconds, a blocking call waits before it raises TimeoutError; None: for ever; 0: not at all."""
        self._blocking, self._timeout = value != 0, value

    def fileno(self) -> int:
        return -1 if self._closed else self._fd

    def connect(self, address: Address, /) -> None:
        """Connect; a non-blocking one raises BlockingIOError (EINPROGRESS) and goes on by itself.

        It goes on to look a name up by itself, too, where the system's would wait; but it waits for the answer that
        there is none.

        Raises:
            OSError: EBADF, EALREADY, EISCONN; what `impl.net.conn` says of connect and resolve.
        """
        self._check_open()
        self._raise_error()
        if self._conn is not None:
            raise os_error(errno.EISCONN)
        if self._asked is not None:
            raise os_error(errno.EALREADY)
        if not self._counted:
            self._counted = True
            self._sockets.connecting()
        host, port = address
        self._asked = self._sockets.net.resolve(host, lambda found: self._resolved(found, port))
        if self._blocking:
            self._wait(WRITE)
        elif not self._sockets.net.exists(host):
            self._sockets.block(None, lambda: self._asked is None)
        else:
            raise self._sockets.in_vain(errno.EINPROGRESS)
        self._check_open()
        self._raise_error()

    def send(self, data: bytes, /) -> int:
        """Send a prefix of `data`: its length, which may be less than all."""
        while True:
            conn = self._connected(errno.EPIPE)
            if conn is not None and not self._full:
                sent = conn.send(data)
                self._full = sent is None or sent < len(data)
                if sent is not None:
                    return sent
            self._wait(WRITE)

    def recv(self, bufsize: int, /) -> bytes:
        """Up to that many bytes; b"" is the end."""
        while True:
            if self._connected(errno.ENOTCONN) is not None and self.ready() & READ:
                return self._take(bufsize)
            self._wait(READ)

    def getsockopt(self, level: int, optname: int, /) -> int:
        """SO_ERROR only: the error of a connect that has failed, once; 0: none."""
        error, self._error = self._error, None
        if isinstance(error, socket.gaierror):
            return errno.EHOSTUNREACH  # there is no number for a look-up that has failed
        return 0 if error is None else error.errno or 0

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._conn is not None:
            self._conn.close()
        if self._asked is not None:
            self._asked.cancel()
            self._asked = None
        self._sockets.released(self._fd, self._counted)

    def __enter__(self) -> SimSocket:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ready(self) -> int:
        """READ and WRITE, as far as a call would not find nothing."""
        if self._asked is not None:
            return 0
        if self._conn is None:
            return READ | WRITE
        if self._unread is None:
            try:
                self._unread = self._conn.recv(RECEIVE_BYTES)
            except OSError:
                return READ | WRITE
        return (0 if self._unread is None else READ) | (0 if self._full else WRITE)

    def _take(self, bufsize: int) -> bytes:
        """What `ready` has seen; an error is raised again by the connection."""
        if self._unread is None:
            assert self._conn is not None
            return self._conn.recv(bufsize) or b""
        data, rest = self._unread[:bufsize], self._unread[bufsize:]
        self._unread = rest or None
        return data

    def _connected(self, otherwise: int) -> Conn | LocalEnd | None:
        """The connection, None while it is being made; raises OSError with that number if it is not."""
        self._check_open()
        self._raise_error()
        if self._asked is None and self._conn is None:
            raise os_error(otherwise)
        return self._conn

    def _wait(self, what: int) -> None:
        """Until it is ready for `what`; raises BlockingIOError or TimeoutError."""
        if not self._blocking:
            raise self._sockets.in_vain(errno.EAGAIN)
        self._sockets.block(self._timeout, lambda: bool(self.ready() & what))
        if not self.ready() & what:
            raise TimeoutError("timed out")

    def _resolved(self, found: tuple[str, ...] | OSError, port: int) -> None:
        if isinstance(found, OSError):
            self._answered(found)
        else:
            self._asked = self._sockets.net.connect((found[0], port), self._answered)

    def _answered(self, answer: Conn | OSError) -> None:
        self._asked = None
        if isinstance(answer, OSError):
            self._error = answer
        else:
            self._conn = answer
            answer.watch(self._hint)

    def _hint(self, what: int) -> None:
        if what & WRITE:
            self._full = False

    def _raise_error(self) -> None:
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def _check_open(self) -> None:
        if self._closed:
            raise os_error(errno.EBADF, "the socket is closed")


class LocalEnd:
    """One end of a pair of sockets: what the peer has sent, and this end has not taken yet, lies here."""

    def __init__(self) -> None:
        self.peer = self
        self._arrived = b""
        self._closed = False

    def send(self, data: bytes) -> int:
        if self.peer._closed:
            raise os_error(errno.EPIPE)
        self.peer._arrived += data
        return len(data)

    def recv(self, n: int) -> bytes | None:
        data, self._arrived = self._arrived[:n], self._arrived[n:]
        return data or (b"" if self.peer._closed else None)

    def close(self) -> None:
        self._closed = True
