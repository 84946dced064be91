"""Teaching code: `socket` and `selectors` of the simulated world.

Theory of operation.
1.  A socket is the non-blocking `Conn` of the simulated network.  A blocking call waits with `block`, which lets the
    other threads and the clock run; a non-blocking one that finds nothing ready raises BlockingIOError, as the
    operating system does, and costs `attempt_ns` of virtual time: so a program that polls gets somewhere.
2.  A descriptor is the lowest number that is free (POSIX, 2.14): whoever forgets to unregister a closed one will meet
    it again.
3.  A selector reports a level, not a change: what is ready is reported again for as long as it is.  A connect that
    has failed makes its socket writable too, and SO_ERROR says why (connect(2)).
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final

from ..net import READ, WRITE, Asked, Conn, SimulatedNet
from ..net.conn import os_error
from .world import Address, Meter

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

    def socket(self) -> SimSocket:
        """A new TCP socket, blocking."""
        fd = next(fd for fd in range(3, len(self.by_fd) + 4) if fd not in self.by_fd)
        self.by_fd[fd] = made = SimSocket(self, fd)
        return made

    def in_vain(self, code: int) -> OSError:
        """The error of a call that found nothing ready."""
        self._meter.vain += 1
        self._attempt()
        return os_error(code)

    def connecting(self) -> None:
        self.busy += 1
        self._meter.concurrency = max(self._meter.concurrency, self.busy)

    def released(self, fd: int, connected: bool) -> None:
        del self.by_fd[fd]
        self.busy -= connected


class SimSocket:
    """`socket.socket` of the simulated world."""

    def __init__(self, sockets: SimSockets, fd: int) -> None:
        self._sockets = sockets
        self._fd = fd
        self._blocking = True
        self._timeout: float | None = None
        self._asked: Asked | None = None
        self._conn: Conn | None = None
        self._error: OSError | None = None
        self._unread: bytes | None = None  # taken from the connection in order to see whether it is readable
        self._full = (
            False  # the connection has taken less than it was given, and has not said that there is room
        )
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

        Raises:
            OSError: EBADF, EALREADY, EISCONN; what `impl.net.conn` says of connect and resolve.
        """
        self._check_open()
        if self._asked is not None:
            raise os_error(errno.EISCONN if self._conn is not None else errno.EALREADY)
        self._sockets.connecting()
        self._asked = self._sockets.net.resolve(address[0], lambda found: self._resolved(found, address[1]))
        if not self._blocking:
            raise self._sockets.in_vain(errno.EINPROGRESS)
        self._wait(WRITE)
        self._raise_error()

    def send(self, data: bytes, /) -> int:
        """Send a prefix of `data`: its length, which may be less than all."""
        while True:
            conn = self._connected()
            if conn is not None and not self._full:
                sent = conn.send(data)
                if sent is not None:
                    return sent
                self._full = True
            self._wait(WRITE)

    def recv(self, bufsize: int, /) -> bytes:
        """Up to that many bytes; b"" is the end."""
        while True:
            if self._connected() is not None and self.ready() & READ:
                return self._take(bufsize)
            self._wait(READ)

    def getsockopt(self, level: int, optname: int, /) -> int:
        """SO_ERROR only: the error of a connect that has failed, once; 0: none."""
        error, self._error = self._error, None
        return 0 if error is None else error.errno or 0

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._conn is not None:
            self._conn.close()
        elif self._asked is not None:
            self._asked.cancel()
        self._sockets.released(self._fd, self._asked is not None)

    def __enter__(self) -> SimSocket:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ready(self) -> int:
        """READ and WRITE, as far as a call would not find nothing."""
        if self._error is not None:
            return READ | WRITE
        if self._conn is None:
            return 0
        if self._unread is None:
            try:
                self._unread = self._conn.recv(RECEIVE_BYTES)
            except OSError:
                return READ | WRITE
        return (0 if self._unread is None else READ) | (0 if self._full else WRITE)

    def _take(self, bufsize: int) -> bytes:
        """What `ready` has seen; an error is raised again by the connection."""
        if self._unread is None:
            self._raise_error()
            assert self._conn is not None
            return self._conn.recv(bufsize) or b""
        data, rest = self._unread[:bufsize], self._unread[bufsize:]
        self._unread = rest or (None if data else b"")
        return data

    def _connected(self) -> Conn | None:
        self._check_open()
        self._raise_error()
        if self._asked is None:
            raise os_error(errno.ENOTCONN)
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
            self._error = found
        else:
            self._asked = self._sockets.net.connect((found[0], port), self._answered)

    def _answered(self, answer: Conn | OSError) -> None:
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


@dataclass(frozen=True)
class SimKey:
    """What was registered (`selectors.SelectorKey`)."""

    fd: int
    events: int
    data: Any  # as in the standard library


class SimSelector:
    """`selectors.DefaultSelector` of the simulated world.

    `block` as in SimSockets.
    """

    def __init__(
        self, sockets: SimSockets, block: Callable[[float | None, Callable[[], bool]], None]
    ) -> None:
        self._sockets = sockets
        self._block = block
        self._keys: dict[int, SimKey] = {}

    def register(self, fileobj: int, events: int, data: Any = None) -> SimKey:  # Any: as SimKey
        """Raises KeyError when it is registered already, ValueError when it is no open descriptor."""
        if fileobj not in self._sockets.by_fd:
            raise ValueError(f"Invalid file descriptor: {fileobj}")
        if fileobj in self._keys:
            raise KeyError(f"{fileobj} (FD {fileobj}) is already registered")
        self._keys[fileobj] = key = SimKey(fileobj, events, data)
        return key

    def unregister(self, fileobj: int) -> SimKey:
        """Raises KeyError when it is not registered."""
        return self._keys.pop(fileobj)

    def select(self, timeout: float | None = None) -> list[tuple[SimKey, int]]:
        """What is ready, in the order of registration; waits for the first, at most `timeout` seconds."""
        self._block(timeout, lambda: bool(self._ready()))
        return self._ready()

    def close(self) -> None:
        self._keys.clear()

    def _ready(self) -> list[tuple[SimKey, int]]:
        found = []
        for key in self._keys.values():
            sock = self._sockets.by_fd.get(key.fd)
            if sock is not None and (mask := sock.ready() & key.events):
                found.append((key, mask))
        return found
