"""The interfaces of a network at the level of non-blocking sockets: `Conn`, `Listener`, `Net`.

1.  Nothing here blocks, and nothing here uses a future, a task or a loop.  `recv`, `send` and `accept` return at once;
    None means "not now".  A caller that wants to wait registers a watcher, and tries again when the watcher is called:

        while (data := conn.recv(n)) is None:
            ...                                   # park until a watcher of conn is called with READ

    This loop is all that `Stream`, and every bridge to another runtime, adds.
2.  A watcher is called with READ, WRITE or both when that *may* have become possible, after a method returned "not
    now".  The call is a hint: one too many is allowed, one too few is not.  A watcher is never called from within a
    method of the object itself, so the caller's statement finishes first.  The effects of an end's own `close` and
    `abort` are not announced to its own watchers.  A registered watcher counts as waiting: on real sockets the loop
    relies on that, so a watcher that no longer waits must be removed.
3.  Bytes of one direction arrive in order, without loss or duplication; the end of the data comes after all of them
    (RFC 9293, 3.4 and 3.6).  A reset breaks both directions off: bytes that were sent but not yet carried are lost.
4.  Errors are the `OSError`s of the operating system, with its errno, the same on every network:

        ConnectionRefusedError  (ECONNREFUSED)  connect: no listener at that address, or its backlog is full
        OSError                 (EHOSTUNREACH)  connect: no host has that address (real: also ENETUNREACH)
        TimeoutError            (ETIMEDOUT)     connect, recv, send: the system has given the peer up (real only)
        OSError                 (EMFILE)        connect, listen, accept: no more descriptors (real only)
        socket.gaierror         (EAI_NONAME)    resolve: the name has no address (real: also EAI_AGAIN, and others)
        ConnectionResetError    (ECONNRESET)    the peer, or the network, has reset the connection
        BrokenPipeError         (EPIPE)         send after our send_eof, or after the peer's end and reset
        OSError                 (EBADF)         the object is closed at this end
        OSError                 (EADDRINUSE)    listen: another listener has that address
        OSError                 (EADDRNOTAVAIL) listen: no host has that name or address
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from typing import Final, Protocol

#: The arguments of a watcher; the values are those of `selectors.EVENT_READ` and `selectors.EVENT_WRITE`.
READ: Final = 1
WRITE: Final = 2

#: A host (for a Conn: its numeric address) and a port.
Address = tuple[str, int]

#: Called with READ, WRITE or READ | WRITE.
Watcher = Callable[[int], None]

#: A value of SO_LINGER: a close resets the connection (struct linger: on, 0 seconds).
RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)


class Watchable:
    """The watchers of one end: rule 2 of the module."""

    def __init__(self) -> None:
        self._watchers: list[Watcher] = []

    def watch(self, watcher: Watcher, /) -> None:
        """Call `watcher` from now on, after those that are registered already."""
        self._watchers.append(watcher)

    def unwatch(self, watcher: Watcher, /) -> None:
        """Do not call it any more; does nothing if it is not registered."""
        if watcher in self._watchers:
            self._watchers.remove(watcher)

    def notify(self, what: int) -> None:
        """Call the watchers; those that are added meanwhile are not called this time."""
        for watcher in tuple(self._watchers):
            watcher(what)


def host_port(address: Address) -> str:
    """The address as "host:port", the form that observers receive."""
    return f"{address[0]}:{address[1]}"


def check_port(port: int) -> None:
    """Raise ValueError unless `port` is a port number."""
    if not 0 <= port <= 65535:
        raise ValueError(f"port is {port}: a port is in 0..65535")


def check_listen(address: Address, backlog: int) -> None:
    """Raise ValueError unless `listen` accepts this port and backlog."""
    if backlog < 1:
        raise ValueError(f"backlog is {backlog}: at least 1 connection must be able to wait")
    check_port(address[1])


def os_error(code: int, about: str = "") -> OSError:
    """The OSError of an errno, as its subclass: `OSError(ECONNREFUSED, ...)` is a ConnectionRefusedError."""
    text = os.strerror(code)
    return OSError(code, f"{text}: {about}" if about else text)


def name_not_found(host: str, hint: str = "") -> OSError:
    """The error of a look-up that found no address."""
    import socket  # here, because the rest of a simulated network does not need it

    return socket.gaierror(socket.EAI_NONAME, f"Name or service not known: {host!r}{hint}")


class Conn(Protocol):
    """One end of an established connection."""

    @property
    def local(self) -> Address:
        """The address of this end."""

    @property
    def remote(self) -> Address:
        """The address of the peer."""

    def recv(self, n: int, /) -> bytes | None:
        """Take up to `n` bytes that have arrived.

        Returns None when no bytes have arrived yet.  Once the peer has sent its end and all bytes are taken, returns
        b"", now and on every later call.  Bytes that arrived before a reset can still be taken (as on Linux).

        Raises:
            ValueError: n < 1; a result of 0 bytes would look like the end.
            ConnectionResetError: the connection was reset before the peer sent its end.
            OSError: EBADF, this end is closed.
        """

    def send(self, data: bytes | bytearray | memoryview, /) -> int | None:
        """Accept the longest prefix of `data` that fits; the accepted bytes will be carried, in order.

        Returns the length of that prefix, 0 only if `data` is empty, or None when there is no room.  When the peer
        has read, there is room again, and watchers are called with WRITE.

        Raises:
            BrokenPipeError: after send_eof, or the peer has sent its end and then a reset.
            ConnectionResetError: the connection was reset.
            OSError: EBADF, this end is closed.
        """

    def send_eof(self) -> None:
        """Send the end, after all data (a half-close: this end can still receive).

        A second call does nothing.

        Raises:
            BrokenPipeError, ConnectionResetError, OSError: as `send`, but for a previous send_eof.
        """

    def close(self) -> None:
        """Close this end; bytes that were sent are still carried, and then the end.

        If bytes of the peer are left unread, or arrive later, the peer is reset (RFC 9293, 3.6; RFC 2525, 2.17).
        Never raises; a second call does nothing.  Watchers are dropped, here and in abort.
        """

    def abort(self) -> None:
        """Close this end and reset the peer, whatever was read (a close with SO_LINGER of 0 seconds).

        Never raises; after close or abort it does nothing.
        """

    def watch(self, watcher: Watcher, /) -> None:
        """Call `watcher` whenever this end may have become readable or writable, in the order of registration."""

    def unwatch(self, watcher: Watcher, /) -> None:
        """Remove `watcher`; does nothing if it is not registered."""


class Listener(Protocol):
    """A listening socket."""

    @property
    def address(self) -> Address:
        """The address that it listens at; the actual port if `listen` was called with port 0."""

    def accept(self) -> Conn | None:
        """Return the connection that has waited longest, or None if there is none.

        Raises:
            OSError: EBADF, the listener is closed.
        """

    def close(self) -> None:
        """Stop listening; connections that were not accepted are reset.  A second call does nothing."""

    def watch(self, watcher: Watcher, /) -> None:
        """Call `watcher` with READ whenever a connection may have arrived."""

    def unwatch(self, watcher: Watcher, /) -> None:
        """Remove `watcher`; does nothing if it is not registered."""


class PendingRequest(Protocol):
    """A pending request to the network."""

    def cancel(self) -> None:
        """Cancel the request: its callback will not be called, and a connection that it obtained is closed.

        After the callback, or a second time, this does nothing.
        """


class Net(Protocol):
    """The operations of a network."""

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
        """Look up a name: `done` is called later with its addresses (at least one), or with a socket.gaierror.

        A numeric address is its own result.  `done` is called once, or never if no answer comes or the request is
        cancelled; never before resolve has returned.
        """

    def connect(self, address: Address, done: Callable[[Conn | OSError], None], /) -> PendingRequest:
        """Connect to a numeric address: `done` is called later with this end, or with the error.

        `done` is called once, or never if no answer comes or the request is cancelled; never before connect has
        returned.

        Raises:
            ValueError: the port is not in 0..65535.
        """

    def listen(self, address: Address, backlog: int = 100, /) -> Listener:
        """Listen at an address of this network; port 0 takes a free one.

        At most about `backlog` connections wait to be accepted.  One more is refused; the operating system may
        also leave it unanswered until there is room.  On real sockets the address is numeric.

        Raises:
            ValueError: backlog < 1, or the port is not in 0..65535.
            OSError: EADDRINUSE or EADDRNOTAVAIL.
        """
