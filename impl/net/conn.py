"""The faces of a network at the level of non-blocking sockets: `Conn`, `Listener`, `Net`.

Theory of operation.
1.  Nothing here blocks, and nothing here knows a future, a task or a loop.  `recv`, `send` and `accept` answer
    at once; None means "not now".  Whoever wants to wait registers a watcher and tries again when it is
    called:

        while (data := conn.recv(n)) is None:
            ...                                   # park until a watcher of conn is called with READ

    This loop is all that `Stream`, and every bridge to another runtime, adds.
2.  A watcher is called with READ, WRITE or both when that *may* have become possible, after the answer was
    "not now".  It is a hint: a call too many is allowed, a call too few is not.  It is never called from within
    a method of the object itself, so a caller sees no callback before its own line is done.  What an end does
    to itself (`close`, `abort`) is not announced to its own watchers: the caller knows.  Who watches waits: on
    real sockets the loop counts on it, so a watcher that waits no more is taken away.
3.  Bytes of one direction arrive in order, none lost, none twice; the end of the data comes after all of them
    (RFC 9293, 3.4 and 3.6).  A reset breaks both directions off: then what was sent but not yet carried is
    lost.
4.  Errors are the `OSError`s of the operating system, with its errno, the same on every network:

        ConnectionRefusedError  (ECONNREFUSED)  connect: nobody listens there, or the backlog is full
        OSError                 (EHOSTUNREACH)  connect: no host has that address (real: also ENETUNREACH)
        TimeoutError            (ETIMEDOUT)     connect, recv, send: the system has given the peer up (real only)
        OSError                 (EMFILE)        connect, listen, accept: no more descriptors (real only)
        socket.gaierror         (EAI_NONAME)    resolve: the name has no address (real: also EAI_AGAIN, and others)
        ConnectionResetError    (ECONNRESET)    the peer, or the network, has reset the connection
        BrokenPipeError         (EPIPE)         send after our send_eof, or after the peer's end and reset
        OSError                 (EBADF)         the object is closed at this end
        OSError                 (EADDRINUSE)    listen: somebody listens there already
        OSError                 (EADDRNOTAVAIL) listen: no host has that name or address
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from typing import Final, Protocol

#: What a watcher is told; the values are those of `selectors.EVENT_READ` and `selectors.EVENT_WRITE`.
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
    """The address as "host:port", as observers are told it."""
    return f"{address[0]}:{address[1]}"


def check_port(port: int) -> None:
    """Raises ValueError unless `port` is one."""
    if not 0 <= port <= 65535:
        raise ValueError(f"port is {port}: a port is in 0..65535")


def check_listen(address: Address, backlog: int) -> None:
    """Raises ValueError unless one can listen there, with such a backlog."""
    if backlog < 1:
        raise ValueError(f"backlog is {backlog}: at least 1 connection must be able to wait")
    check_port(address[1])


def os_error(code: int, about: str = "") -> OSError:
    """The OSError of that errno, of the right subclass (`OSError(ECONNREFUSED, ...)` makes a
    ConnectionRefusedError).
    """
    text = os.strerror(code)
    return OSError(code, f"{text}: {about}" if about else text)


def name_not_found(host: str) -> OSError:
    """The error of a look-up that has found no address."""
    import socket  # here, because nothing else of a simulated network needs it

    return socket.gaierror(socket.EAI_NONAME, f"Name or service not known: {host!r}")


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

        Returns None when nothing is there yet, and b"" when the peer has sent its end and all was taken; b""
        then stays the answer.  Bytes that arrived before a reset can still be taken (as on Linux).

        Raises:
            ValueError: n < 1; an answer to 0 could not be told from the end.
            ConnectionResetError: the connection was reset before the peer sent its end.
            OSError: EBADF, this end is closed.
        """

    def send(self, data: bytes | bytearray | memoryview, /) -> int | None:
        """Take a prefix of `data`, as long as there is room for; the bytes taken will be carried, in order.

        Returns the length of that prefix, 0 only for no data at all, or None when there is no room.  There is
        room again when the peer has read, and WRITE says so.

        Raises:
            BrokenPipeError: after send_eof, or the peer has sent its end and then a reset.
            ConnectionResetError: the connection was reset.
            OSError: EBADF, this end is closed.
        """

    def send_eof(self) -> None:
        """Tell the peer, after all data, that no more comes (a half-close: we can still receive).

        A second call does nothing.

        Raises:
            BrokenPipeError, ConnectionResetError, OSError: as `send`, but for a previous send_eof.
        """

    def close(self) -> None:
        """Give this end up; what was sent is still carried, and then the end.

        If bytes of the peer are left unread, or arrive later, the peer is reset (RFC 9293, 3.6; RFC 2525,
        2.17). Never raises; a second call does nothing.  Watchers are dropped, here and in abort.
        """

    def abort(self) -> None:
        """Give this end up and reset the peer, whatever was read (a close with SO_LINGER of 0 seconds).

        Never raises; after close or abort it does nothing.
        """

    def watch(self, watcher: Watcher, /) -> None:
        """Call `watcher` whenever this end may have become readable or writable, in the order of
        registration.
        """

    def unwatch(self, watcher: Watcher, /) -> None:
        """Call it no more.  Does nothing if it does not watch."""


class Listener(Protocol):
    """A place where connections come in."""

    @property
    def address(self) -> Address:
        """Where it listens; the port is the real one when 0 was asked for."""

    def accept(self) -> Conn | None:
        """The connection that has waited longest, or None when none is there.

        Raises:
            OSError: EBADF, the listener is closed.
        """

    def close(self) -> None:
        """Listen no more; connections that were not accepted are reset.  A second call does nothing."""

    def watch(self, watcher: Watcher, /) -> None:
        """Call `watcher` with READ whenever a connection may have come in."""

    def unwatch(self, watcher: Watcher, /) -> None:
        """Call it no more.  Does nothing if it does not watch."""


class Asked(Protocol):
    """A question to the network that is not answered yet."""

    def cancel(self) -> None:
        """Do not answer any more; a connection that would be the answer is closed.

        After the answer it does nothing, nor a second time.
        """


class Net(Protocol):
    """What a program can ask of a network."""

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> Asked:
        """Ask for the addresses of a name: later, `done` is called with them (at least one), or with a
        socket.gaierror.  A numeric address is its own.

        `done` is called once, or never if nobody answers or it is cancelled; never before resolve has returned.
        """

    def connect(self, address: Address, done: Callable[[Conn | OSError], None], /) -> Asked:
        """Connect to a numeric address: later, `done` is called with our end, or with the error.

        `done` is called once, or never if nobody answers or it is cancelled; never before connect has returned.

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
