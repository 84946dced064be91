"""`Stream`: an asynchronous connection over any `Conn`; `ByteStream`, its interface; `StreamListener`.

1.  Every method is the loop of `conn.py`: try; on "not now", park until a watcher is called with READ or WRITE; try
    again.  The only method of the event loop that it uses is `create_future()` (interface `Maker`).
2.  Bytes, and connections, are taken from the network by the same step that returns them: between taking and
    returning there is no await.  So a cancel loses nothing, wherever it lands, even between wake-up and run.
3.  At most one task may receive and one may send at a time: two would split the stream of bytes between them
    unnoticed.  A second one gets a RuntimeError at once.
4.  A layer between a program and a connection, TLS for instance, is a `ByteStream` over a `ByteStream`.
"""

from __future__ import annotations

from typing import Final, Protocol, Self

from ..interfaces import Maker, Waiter
from .conn import READ, WRITE, Address, Conn, Listener, host_port

#: The default for the most bytes that one receive takes.
RECEIVE_BYTES: Final = 65536


class ByteStream(Protocol):
    """A stream of bytes in both directions, which `async with` closes; `Stream` documents the methods."""

    @property
    def local(self) -> Address:
        """The address of this end."""

    @property
    def remote(self) -> Address:
        """The address of the peer."""

    @property
    def bytes_sent(self) -> int:
        """The number of bytes sent so far: after a cancelled send_all, the place to continue from."""

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        """Wait until bytes are there and take up to `n` of them; b"" is the end of the data."""

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of `data`, waiting while there is no room."""

    async def send_eof(self) -> None:
        """Send the end of the data; receiving continues."""

    async def aclose(self) -> None:
        """Close; data that was sent is still carried."""

    def abort(self) -> None:
        """Close and reset the peer."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {host_port(self.local)} to {host_port(self.remote)}>"


class _Gate:
    """A place for at most one task to wait until one operation (READ or WRITE) may be possible again."""

    __slots__ = ("_action", "_end", "_maker", "_waiter", "_what")

    def __init__(self, end: Conn | Listener, what: int, maker: Maker, action: str) -> None:
        self._end = end
        self._what = what
        self._maker = maker
        self._action = action
        self._waiter: Waiter | None = None

    def enter(self) -> None:
        """Check that no other task is waiting here.

        Raises:
            RuntimeError: another task waits here, or was woken and has not run yet.
        """
        if self._waiter is not None:
            raise RuntimeError(f"another task is already {self._action}; only one at a time may")

    async def wait(self) -> None:
        """Park until a watcher is called, or `open`."""
        self._waiter = waiter = self._maker.create_future()
        self._end.watch(self._hint)
        try:
            await waiter
        finally:
            self._waiter = None
            self._end.unwatch(self._hint)

    def _hint(self, what: int) -> None:
        if what & self._what:
            self.open()

    def open(self) -> None:
        """Wake the waiting task, if there is one."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Stream(ByteStream):
    """A connection as a stream of bytes in both directions.

    `async with stream:` closes it at the end.  Errors are the OSErrors of `conn.py`.  It becomes the only user of
    `conn`.
    """

    def __init__(self, conn: Conn, maker: Maker) -> None:
        self._conn = conn
        self._readable = _Gate(conn, READ, maker, "receiving on this stream")
        self._writable = _Gate(conn, WRITE, maker, "sending on this stream")
        self._bytes_sent = 0

    @property
    def local(self) -> Address:
        """The address of this end."""
        return self._conn.local

    @property
    def remote(self) -> Address:
        """The address of the peer."""
        return self._conn.remote

    @property
    def bytes_sent(self) -> int:
        """The number of bytes that the network has taken: after a cancelled send_all, the place to continue from."""
        return self._bytes_sent

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        """Wait until bytes are there and take up to `n` of them; b"" is the end of the data.

        A cancel takes nothing.

        Raises:
            ValueError: n < 1.
            RuntimeError: another task is receiving.
            OSError: as `Conn.recv`; EBADF also when the stream is closed while this waits.
        """
        self._readable.enter()
        while (data := self._conn.recv(n)) is None:
            await self._readable.wait()
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of `data`, waiting while there is no room (back-pressure).

        Returns when the network has taken everything, not when the peer has read it.  After a cancel or an error, a
        prefix of `data` was taken; `bytes_sent` gives its length.  Do not change `data` meanwhile.

        Raises:
            RuntimeError: another task is sending.
            OSError: as `Conn.send`; EBADF also when the stream is closed while this waits.
        """
        self._writable.enter()
        rest = memoryview(data).cast("B")
        while rest:
            taken = self._conn.send(rest)
            if taken is None:
                await self._writable.wait()
            else:
                self._bytes_sent += taken
                rest = rest[taken:]

    async def send_eof(self) -> None:
        """Send the end of the data; receiving continues (a half-close).

        Raises:
            RuntimeError: another task is sending.
            OSError: as `Conn.send_eof`.
        """
        self._writable.enter()
        self._conn.send_eof()

    async def aclose(self) -> None:
        """Close; data that was sent is still carried.  Never waits, may be repeated.

        A task that waits in receive_some or send_all gets an OSError (EBADF).
        """
        self._conn.close()
        self._wake()

    def abort(self) -> None:
        """Close and reset the peer.  May be repeated; after aclose it does nothing."""
        self._conn.abort()
        self._wake()

    def _wake(self) -> None:
        self._readable.open()
        self._writable.open()


class StreamListener:
    """A `Listener` of streams; `async with` closes it at the end."""

    def __init__(self, listener: Listener, maker: Maker) -> None:
        self._listener = listener
        self._maker = maker
        self._gate = _Gate(listener, READ, maker, "accepting on this listener")

    @property
    def address(self) -> Address:
        """The address that it listens at."""
        return self._listener.address

    async def accept(self) -> Stream:
        """Wait for the next connection.  A cancel takes none.

        Raises:
            RuntimeError: another task is accepting.
            OSError: EBADF, the listener is closed, or is closed while this waits.
        """
        self._gate.enter()
        while (conn := self._listener.accept()) is None:
            await self._gate.wait()
        return Stream(conn, self._maker)

    async def aclose(self) -> None:
        """Stop listening; connections that were not accepted are reset.  Never waits, may be repeated."""
        self._listener.close()
        self._gate.open()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()
