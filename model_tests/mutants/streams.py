"""Wrong streams, and right streams on a wrong connection.

A mutant takes the place of a right stream, and takes over its connection: `instead(mutant)`.  Errors of waiting are
errors of a `Stream`; errors of the network are those of a `WrongConn`, which stands between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from impl.net import READ, Conn, Stream, Watcher
from impl.net.simulated.connection import SimConn
from impl.net.stream import RECEIVE_BYTES, _Gate

from .mutant import Mutant, breaks

#: The data to send, and the loop of the stream that a mutant replaces.
Data = bytes | bytearray | memoryview
Maker = Any


def instead(mutant: Mutant) -> Callable[[Stream], Stream]:
    """Makes, from a right stream, the wrong one that takes its place."""

    def wrap(stream: Stream) -> Stream:
        conn, maker, wrong = stream._conn, stream._readable._maker, mutant.wrong
        made: Stream = Stream(wrong(conn), maker) if issubclass(wrong, WrongConn) else wrong(conn, maker)
        return made

    return wrap


@breaks("STREAM-10", "contract")
class StreamTakesBytesForWaiter(Stream):
    """The bytes of a waiting receiver are taken when they arrive, before it runs: a cancel in between loses them."""

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        gate = self._readable
        gate.enter()
        if (data := self._conn.recv(n)) is not None:
            return data
        gate._waiter = waiter = gate._maker.create_future()

        def arrived(what: int) -> None:
            if what & READ and not waiter.done():
                try:
                    waiter.set_result(self._conn.recv(n))
                except OSError:
                    waiter.set_result(None)  # receive_some() raises it

        self._conn.watch(arrived)
        try:
            data = await waiter
        finally:
            gate._waiter = None
            self._conn.unwatch(arrived)
        return await super().receive_some(n) if data is None else data


class DeafGate(_Gate):
    """Hints wake nothing."""

    def _hint(self, what: int) -> None:
        pass


@breaks("STREAM-6", "contract")
class StreamRoomWakesNothing(Stream):
    """Room in the buffer does not wake a waiting sender."""

    def __init__(self, conn: Conn, maker: Maker) -> None:
        super().__init__(conn, maker)
        self._writable = DeafGate(conn, 0, maker, "sending on this stream")


@breaks("STREAM-27", "contract")
class StreamCloseWakesNothing(Stream):
    """Closing does not wake the tasks that wait at that end."""

    def _wake(self) -> None:
        pass


@breaks("STREAM-7", "contract")
class StreamReplacesReceiver(Stream):
    """A second receiver takes the place of the first."""

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        self._readable._waiter = None
        return await super().receive_some(n)


@breaks("STREAM-23", "contract")
class StreamSendsAgain(Stream):
    """A sender that has waited starts again with its first byte."""

    async def send_all(self, data: Data) -> None:
        self._writable.enter()
        while (taken := self._conn.send(data)) != len(data):
            self._bytes_sent += taken or 0
            await self._writable.wait()
        self._bytes_sent += taken


@breaks("STREAM-4", "contract")
class StreamResetLooksLikeEnd(Stream):
    """A reset reaches the receiver as the end of the stream."""

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        try:
            return await super().receive_some(n)
        except ConnectionResetError:
            return b""


@breaks("STREAM-25", "contract")
class StreamResetDropsBytes(Stream):
    """After a reset the bytes that had arrived before it are lost."""

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        if isinstance(self._conn, SimConn) and self._conn._reset:
            self._conn._wire._directions[1 - self._conn._side].unread.clear()
        return await super().receive_some(n)


@breaks("STREAM-28", "contract")
class StreamAbortOnlyCloses(Stream):
    """abort() does the same as close()."""

    def abort(self) -> None:
        self._conn.close()
        self._wake()


@breaks("STREAM-22", "contract")
class StreamSendAfterEndIsIgnored(Stream):
    """A send after the end has no effect and raises no error."""

    async def send_all(self, data: Data) -> None:
        try:
            await super().send_all(data)
        except BrokenPipeError:
            pass


class WrongConn:
    """A connection between a stream and its right connection; mutants override the wrong methods."""

    def __init__(self, conn: Conn) -> None:
        assert isinstance(conn, SimConn)
        self.conn = conn
        self.local, self.remote = conn.local, conn.remote

    def recv(self, n: int, /) -> bytes | None:
        return self.conn.recv(n)

    def send(self, data: Data, /) -> int | None:
        return self.conn.send(data)

    def send_eof(self) -> None:
        self.conn.send_eof()

    def close(self) -> None:
        self.conn.close()

    def abort(self) -> None:
        self.conn.abort()

    def watch(self, watcher: Watcher, /) -> None:
        self.conn.watch(watcher)

    def unwatch(self, watcher: Watcher, /) -> None:
        self.conn.unwatch(watcher)


@breaks("STREAM-4", "contract", of=Conn)
class ConnEndFirst(WrongConn):
    """The end is reported as soon as it is known, before the bytes that are left to read."""

    def recv(self, n: int, /) -> bytes | None:
        return b"" if self.conn._peer_ended and not self.conn._closed else self.conn.recv(n)


@breaks("STREAM-1", "contract", of=Conn)
class ConnNewestByteFirst(WrongConn):
    """The newest of the bytes that have arrived comes first."""

    def recv(self, n: int, /) -> bytes | None:
        data = self.conn.recv(n)
        return data and data[::-1]


@breaks("STREAM-5", "contract", of=Conn)
class ConnEndWakesNothing(WrongConn):
    """The end does not wake a waiting receiver."""

    def __init__(self, conn: Conn) -> None:
        super().__init__(conn)
        self.told: dict[Watcher, Watcher] = {}

    def watch(self, watcher: Watcher, /) -> None:
        def unless_ended(what: int) -> None:
            if not self.conn._peer_ended:
                watcher(what)

        self.told[watcher] = unless_ended
        self.conn.watch(unless_ended)

    def unwatch(self, watcher: Watcher, /) -> None:
        self.conn.unwatch(self.told.pop(watcher))


@breaks("STREAM-3", "contract", of=Conn)
class ConnSendsBeyondRoom(WrongConn):
    """send() accepts everything; bytes for which there is no room are dropped."""

    def send(self, data: Data, /) -> int | None:
        self.conn.send(data)
        return len(data)
