"""Teaching code: `socket` of the simulated environment.

1.  A socket is a non-blocking `Conn` of the simulated network.  A blocking call waits with `block`, which lets other
    threads and the clock run.  A non-blocking call that finds nothing ready raises BlockingIOError, as the operating
    system does, and takes virtual time, so a program that polls makes progress.
2.  A descriptor is the lowest free number (POSIX, 2.14): a program that forgets to unregister a closed one meets it
    again.
3.  The error of a connect is kept until a call raises it or SO_ERROR returns it (connect(2)).  A socket that is not
    connected is ready for everything, because each call fails at once.
4.  The two ends of a `socketpair` have no network between them, so no time passes.
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
    """The sockets of one environment, by descriptor.

    `block(seconds, until)` lets threads and the clock run until `until()` holds, or for so many seconds; `attempt()`
    lets the time of a call in vain pass.
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
        self._freed: list[int] = []  # a heap of the numbers that were used and are free

    def socket(self) -> SimSocket:
        """A new TCP socket, blocking."""
        return self._made(None)

    def socketpair(self) -> tuple[SimSocket, SimSocket]:
        """Two sockets that are connected to each other; they are not counted as connections."""
        one, other = LocalEnd(), LocalEnd()
        one.peer, other.peer = other, one
        return self._made(one), self._made(other)

    def in_vain(self, code: int) -> OSError:
        """Count a call that found nothing ready; returns its error."""
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
    """`socket.socket` of the simulated environment."""

    def __init__(self, sockets: SimSockets, fd: int, conn: LocalEnd | None = None) -> None:
        self._sockets = sockets
        self._fd = fd
        self._blocking = True
        self._timeout: float | None = None
        self._counted = False  # among the connections that are open or connecting
        self._asked: Asked | None = None  # while it connects
        self._conn: Conn | LocalEnd | None = conn
        self._error: OSError | None = None
        self._unread: bytes | None = None  # received in order to find out whether the socket is readable
        self._full = False  # a send was partial, and the connection has not become writable since
        self._closed = False

    def setblocking(self, flag: bool, /) -> None:
        self._blocking, self._timeout = flag, None

    def settimeout(self, value: float | None, /) -> None:
        """Set the seconds after which a blocking call raises TimeoutError; None: never; 0: do not block."""
        self._blocking, self._timeout = value != 0, value

    def fileno(self) -> int:
        return -1 if self._closed else self._fd

    def connect(self, address: Address, /) -> None:
        """Connect; a non-blocking socket raises BlockingIOError (EINPROGRESS) and connects in the background.

        It also resolves the name in the background, where the system's connect would wait; only for an unknown name
        it waits.

        Raises:
            OSError: EBADF, EALREADY, EISCONN; see also `impl.net.conn`, connect and resolve.
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
        """Send a prefix of `data`; returns its length."""
        while True:
            conn = self._connected(errno.EPIPE)
            if conn is not None and not self._full:
                sent = conn.send(data)
                self._full = sent is None or sent < len(data)
                if sent is not None:
                    return sent
            self._wait(WRITE)

    def recv(self, bufsize: int, /) -> bytes:
        """Receive at most `bufsize` bytes; b"" is the end."""
        while True:
            if self._connected(errno.ENOTCONN) is not None and self.ready() & READ:
                return self._take(bufsize)
            self._wait(READ)

    def getsockopt(self, level: int, optname: int, /) -> int:
        """SO_ERROR only: the error of a failed connect, once; 0: none."""
        error, self._error = self._error, None
        if isinstance(error, socket.gaierror):
            return errno.EHOSTUNREACH  # a failed look-up has no number of its own
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
        """READ and WRITE, where a call would not block."""
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
        """Return the bytes that `ready` has received; the connection raises an error again."""
        if self._unread is None:
            assert self._conn is not None
            return self._conn.recv(bufsize) or b""
        data, rest = self._unread[:bufsize], self._unread[bufsize:]
        self._unread = rest or None
        return data

    def _connected(self, otherwise: int) -> Conn | LocalEnd | None:
        """The connection, or None while it connects; raises OSError(`otherwise`) if it is not connected."""
        self._check_open()
        self._raise_error()
        if self._asked is None and self._conn is None:
            raise os_error(otherwise)
        return self._conn

    def _wait(self, what: int) -> None:
        """Wait until the socket is ready for `what`; raises BlockingIOError or TimeoutError."""
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
    """One end of a pair of sockets, with the bytes that the peer has sent and this end has not received."""

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
