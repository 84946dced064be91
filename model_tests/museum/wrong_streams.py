"""Wrong streams: the reference with one method replaced, which a recorded run must give away.

Theory of operation.  As in `mutants.py`; here a specimen is made from a right stream, whose connection it takes over.
Errors of waiting are errors of `Stream`; errors of the network are those of a connection that stands between.  Each
names the rule of `spec.stream` or `spec.stream.ends` that it breaks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from impl.net import READ, Conn, Stream, Watcher
from impl.net.simulated.connection import SimConn
from impl.net.stream import RECEIVE_BYTES, _Gate

Data = bytes | bytearray | memoryview


class TakesBytesForTheWaiter(Stream):
    """Whoever waits is handed its bytes when they arrive, before it runs: a cancel in between loses them."""

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
                    waiter.set_result(None)  # it will be told again

        self._conn.watch(arrived)
        try:
            data = await waiter
        finally:
            gate._waiter = None
            self._conn.unwatch(arrived)
        return await super().receive_some(n) if data is None else data


class DeafGate(_Gate):
    """Hints wake nobody."""

    def _hint(self, what: int) -> None:
        pass


class ForgetsTheSender(Stream):
    """Room wakes nobody."""

    def __init__(self, conn: Conn, maker: Any) -> None:  # Any: as the loop of the stream that it replaces
        super().__init__(conn, maker)
        self._writable = DeafGate(conn, 0, maker, "sending on this stream")


class ClosesInSilence(Stream):
    """Who waits at an end that is closed is not told."""

    def _wake(self) -> None:
        pass


class LetsTwoReceive(Stream):
    """A second receiver takes the place of the first."""

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        self._readable._waiter = None
        return await super().receive_some(n)


class SendsAgain(Stream):
    """A sender that has waited begins at the beginning."""

    async def send_all(self, data: Data) -> None:
        self._writable.enter()
        while (taken := self._conn.send(data)) != len(data):
            self._bytes_sent += taken or 0
            await self._writable.wait()
        self._bytes_sent += taken


class TakesAResetForTheEnd(Stream):
    """A receiver is told the end where the connection was reset."""

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        try:
            return await super().receive_some(n)
        except ConnectionResetError:
            return b""


class LosesWhatCameBeforeAReset(Stream):
    """After a reset the bytes that had arrived are not given any more."""

    async def receive_some(self, n: int = RECEIVE_BYTES) -> bytes:
        if isinstance(self._conn, SimConn) and self._conn._reset:
            self._conn._wire._ways[1 - self._conn._side].unread.clear()
        return await super().receive_some(n)


class AbortsGently(Stream):
    """An abort is no more than a close."""

    def abort(self) -> None:
        self._conn.close()
        self._wake()


class SendsAfterTheEnd(Stream):
    """A send after the end does nothing, and says so to nobody."""

    async def send_all(self, data: Data) -> None:
        try:
            await super().send_all(data)
        except BrokenPipeError:
            pass


class WrongConn:
    """A connection between a stream and its right one; specimens override what is wrong."""

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


class EndFirst(WrongConn):
    """The end is told as soon as it is known, whatever is left to read."""

    def recv(self, n: int, /) -> bytes | None:
        return b"" if self.conn._peer_ended and not self.conn._closed else self.conn.recv(n)


class NewestFirst(WrongConn):
    """Of the bytes that have arrived, the newest comes first."""

    def recv(self, n: int, /) -> bytes | None:
        data = self.conn.recv(n)
        return data and data[::-1]


class EndInSilence(WrongConn):
    """The end wakes nobody."""

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


class SendsBeyondRoom(WrongConn):
    """A send says that it has taken everything; what there is no room for is dropped."""

    def send(self, data: Data, /) -> int | None:
        self.conn.send(data)
        return len(data)


@dataclass(frozen=True)
class Specimen:
    """A wrong stream, or a right one on a wrong connection, and the rule that it breaks."""

    wrong: type[Stream] | type[WrongConn]
    rule: str

    def __call__(self, stream: Stream) -> Stream:
        """In the place of `stream`."""
        conn, maker = stream._conn, stream._readable._maker
        if issubclass(self.wrong, WrongConn):
            return Stream(self.wrong(conn), maker)
        return self.wrong(conn, maker)


SPECIMENS = [
    Specimen(TakesBytesForTheWaiter, "STREAM-10"),
    Specimen(ForgetsTheSender, "STREAM-6"),
    Specimen(ClosesInSilence, "STREAM-27"),
    Specimen(LetsTwoReceive, "STREAM-7"),
    Specimen(SendsAgain, "STREAM-23"),
    Specimen(TakesAResetForTheEnd, "STREAM-4"),
    Specimen(LosesWhatCameBeforeAReset, "STREAM-25"),
    Specimen(AbortsGently, "STREAM-28"),
    Specimen(SendsAfterTheEnd, "STREAM-22"),
    Specimen(EndFirst, "STREAM-4"),
    Specimen(NewestFirst, "STREAM-1"),
    Specimen(EndInSilence, "STREAM-5"),
    Specimen(SendsBeyondRoom, "STREAM-3"),
]
