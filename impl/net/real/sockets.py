"""SocketNet: the interfaces of `conn.py` over the operating system's non-blocking sockets.

1.  A method is one system call, and "not now" is its EAGAIN.  The socket then counts as *blocked* in that direction,
    and its watchers are called when this may have changed.  With no watcher, or nothing blocked, the socket is not
    registered for events: a socket full of unread data costs nothing.
2.  The kernel reports a reset once, and as the end of the data afterwards.  So the first error of a connection is
    kept, and raised from then on, after the bytes that arrived before it.
3.  A peer that sends faster than we read would keep one task busy for ever: its data never ends, so the task never
    waits.  After a number of tries in one loop iteration the answer is therefore "not now", and timers and the other
    tasks run.
4.  The rest is the kernel's documented behaviour: `close` still carries the data that `send` took, and resets the peer
    if something was left unread; `abort` is a close with SO_LINGER of 0 seconds.
5.  An error before there is a connection is passed to the caller, with its errno, even when the process has no more
    descriptors (EMFILE).  A caller that receives an error owns no descriptor.
"""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Callable
from typing import Final

from ..conn import (
    READ,
    RESET_ON_CLOSE,
    WRITE,
    Address,
    Conn,
    PendingRequest,
    Watchable,
    Watcher,
    check_listen,
    check_port,
    host_port,
    os_error,
)
from .loop import SocketLoop
from .resolver import LOOKUPS_MAX, Lookup, Resolver, numeric, system_lookup

#: The results of a connect that is not done at once.
_UNDER_WAY: Final = errno.EWOULDBLOCK if sys.platform == "win32" else errno.EINPROGRESS
#: The most tries of one end in one loop iteration.
TRIES_MAX: Final = 16


class SocketNet:
    """The network of the operating system, IPv4 and IPv6; `Net` documents the methods.

    Parameters:
        loop: the loop that waits for its sockets.
        lookup: finds the addresses of a name, blocking, in a thread; by default getaddrinfo.
        lookups_max: the greatest number of look-ups at once.
    """

    def __init__(self, loop: SocketLoop, *, lookup: Lookup = system_lookup, lookups_max: int = LOOKUPS_MAX) -> None:
        self._loop = loop
        self._resolver = Resolver(loop, lookup, lookups_max)

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
        return self._resolver.ask(host, done)

    def connect(self, address: Address, done: Callable[[Conn | OSError], None], /) -> PendingRequest:
        check_port(address[1])
        return _Attempt(self._loop, address, done)

    def listen(self, address: Address, backlog: int = 100, /) -> SockListener:
        check_listen(address, backlog)
        found = numeric(*address)
        if found is None:
            raise os_error(errno.EADDRNOTAVAIL, f"{address[0]!r} is no numeric address; 127.0.0.1 or ::1, for instance")
        family, place = found
        sock = _socket(family)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:  # "::" does not claim IPv4
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.bind(place)
            sock.listen(backlog)
            return SockListener(self._loop, sock)
        except BaseException:
            sock.close()
            raise


class _Attempt:
    """A connect under way."""

    def __init__(self, loop: SocketLoop, address: Address, done: Callable[[Conn | OSError], None]) -> None:
        self._loop = loop
        self._address = address
        self._done = done
        self._sock: socket.socket | None = None
        code = self._begin()
        self._timely = None if code == _UNDER_WAY else loop.call_soon(self._finish, code)

    def _begin(self) -> int:
        """Start the connection; return the errno, 0 if it is established already."""
        found = numeric(*self._address)
        if found is None:
            return errno.EHOSTUNREACH
        family, place = found
        try:
            self._sock = _socket(family)
            code = self._sock.connect_ex(place)
            if code == _UNDER_WAY:
                self._registration = self._loop.register(self._sock, self._writable)
                self._registration.want(WRITE)
        except OSError as error:  # no descriptor is left, or the selector is full
            self._close()
            return error.errno or errno.EIO
        return code

    def _writable(self, what: int) -> None:
        """Read the result of the connect from SO_ERROR (connect(2), EINPROGRESS)."""
        assert self._sock is not None
        self._registration.close()
        self._finish(self._sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))

    def _finish(self, code: int) -> None:
        if code:
            self._close()
            self._done(os_error(code, host_port(self._address)))
            return
        sock, self._sock = self._sock, None
        assert sock is not None
        self._done(SockConn(self._loop, sock, self._address))

    def cancel(self) -> None:
        """Cancel the connect; the socket is closed now, whether or not the peer has answered."""
        if self._timely is not None:
            self._timely.cancel()
        elif self._sock is not None:
            self._registration.close()
        self._close()

    def _close(self) -> None:
        if self._sock is not None:
            self._sock.close()
            self._sock = None


class _Endpoint(Watchable):
    """The common part of connections and listeners: a socket, its watchers, its blocked directions."""

    def __init__(self, loop: SocketLoop, sock: socket.socket) -> None:
        super().__init__()
        self._loop = loop
        self._sock = sock
        self._registration = loop.register(sock, self._told)
        self._blocked = 0
        self._closed = False
        self._turn = -1  # the loop iteration that `_tries` counts
        self._tries = 0

    def watch(self, watcher: Watcher, /) -> None:
        super().watch(watcher)
        self._registration.want(self._blocked)

    def unwatch(self, watcher: Watcher, /) -> None:
        if watcher in self._watchers:
            super().unwatch(watcher)
            if not self._watchers:
                self._registration.want(0)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._watchers.clear()
        self._registration.close()
        self._sock.close()

    def _blocks(self, what: int) -> bool:
        """Whether to return "not now" without a system call, after TRIES_MAX tries in this loop iteration."""
        if self._turn != self._loop.turns:
            self._turn = self._loop.turns
            self._tries = 0
        self._tries += 1
        if self._tries > TRIES_MAX:
            self._block(what)
            return True
        return False

    def _block(self, what: int) -> None:
        """Record that `what` is blocked; with watchers, register for its event."""
        self._blocked |= what
        if self._watchers:
            self._registration.want(self._blocked)

    def _told(self, what: int) -> None:
        self._blocked &= ~what
        self.notify(what)

    def _check_open(self) -> None:
        if self._closed:
            raise os_error(errno.EBADF, "this end is closed")


class SockConn(_Endpoint):
    """One end of a TCP connection; `Conn` documents the methods."""

    def __init__(self, loop: SocketLoop, sock: socket.socket, remote: Address) -> None:
        super().__init__(loop, sock)
        self.local: Final = _address(sock.getsockname())
        self.remote: Final = remote
        self._error = 0  # the errno that the kernel reports only once
        self._sent_eof = False
        try:  # send small messages at once (RFC 9293, 3.7.4: the Nagle algorithm can be disabled)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            pass  # the connection is already reset

    def recv(self, n: int, /) -> bytes | None:
        if n < 1:
            raise ValueError(f"recv({n}): ask for at least 1 byte, b'' means the end of the data")
        self._check_open()
        if self._blocks(READ):
            return None
        try:
            data = self._sock.recv(n)
        except BlockingIOError:
            self._block(READ)
            return None
        except OSError as error:
            raise self._failed(error) from None
        if self._error and not data:
            raise os_error(self._error)
        return data

    def send(self, data: bytes | bytearray | memoryview, /) -> int | None:
        self._check_sendable()
        if self._sent_eof:
            raise os_error(errno.EPIPE)
        if not data:
            return 0
        if self._blocks(WRITE):
            return None
        try:
            return self._sock.send(data)
        except BlockingIOError:
            self._block(WRITE)
            return None
        except OSError as error:
            raise self._failed(error) from None

    def send_eof(self) -> None:
        self._check_sendable()
        try:
            self._sock.shutdown(socket.SHUT_WR)  # even a second time: that shows a reset by the peer
        except OSError:  # ENOTCONN: the connection is gone, and SO_ERROR has the reason
            code = self._sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            raise self._failed(os_error(code or errno.ECONNRESET)) from None
        self._sent_eof = True

    def abort(self) -> None:
        if not self._closed:
            try:
                self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            except OSError:
                pass  # the connection is already reset
            self.close()

    def _failed(self, error: OSError) -> OSError:
        """Keep an error that the kernel reports once; it repeats EPIPE, after which there may be more to read."""
        if error.errno != errno.EPIPE:
            self._error = error.errno or errno.EIO
        return error

    def _check_sendable(self) -> None:
        self._check_open()
        if self._error:
            raise os_error(self._error)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {host_port(self.local)} to {host_port(self.remote)}>"


class SockListener(_Endpoint):
    """A listening TCP socket; `Listener` documents the methods."""

    def __init__(self, loop: SocketLoop, sock: socket.socket) -> None:
        super().__init__(loop, sock)
        self.address: Final = _address(sock.getsockname())

    def accept(self) -> Conn | None:
        self._check_open()
        while not self._blocks(READ):
            try:
                sock, remote = self._sock.accept()
            except BlockingIOError:
                self._block(READ)
                return None
            except ConnectionAbortedError:
                continue  # the peer gave up meanwhile (accept(2))
            sock.setblocking(False)
            return SockConn(self._loop, sock, _address(remote))
        return None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {host_port(self.address)}>"


def _socket(family: socket.AddressFamily) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setblocking(False)
    return sock


def _address(place: tuple[str, int] | tuple[str, int, int, int]) -> Address:
    return place[0], place[1]
