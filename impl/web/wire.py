"""HTTP/1.1 on the wire: the commands from a protocol to its pump, and `Wire`, which feeds h11.

1.  A protocol is a generator that does no I/O: it yields a command, `Send(data)` or `RECEIVE`, and is sent the received
    bytes (b"" at the end of the stream).  The pump that drives it owns the connection: our loop, asyncio, trio, or a
    test with two lists.  The pump also handles closing, resets and timeouts.
2.  h11 is the protocol; `Wire` feeds it in such a way that the outcome depends on the bytes alone and never on the
    segments of their arrival.  h11's own limit does not have that property (h11 issue 182: a 40 kB header block
    passes in one piece and fails in pieces of 1 KiB), because h11 checks the bytes that are left *after* parsing.
    `Wire` never lets h11 hold more than the limit.  So a header block, a chunk's size line or a trailer that exceeds
    it can never be completed, however it is cut, and is "too-large".
3.  An error has one position in the stream of bytes, where it is first certain, and the earliest one counts.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import h11


@dataclass(frozen=True, slots=True)
class Send:
    """Send all of `data`; the answer is None."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Receive:
    """Wait for bytes; the answer is the bytes, or b"" at the end of the stream."""


RECEIVE: Final = Receive()


class HttpError(Exception):
    """No response; `kind`, of `impl.web.outcome.ERRORS`: "incomplete", "protocol", "too-large", "encoding", "proxy"."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind


class Wire:
    """Feeds an h11 connection such that its events do not depend on how the stream is cut."""

    def __init__(self, connection: h11.Connection, limit: int, keep: bool = False) -> None:
        """`keep`: keep the bytes of the expected message, for `take`."""
        self._connection = connection
        self._limit = limit
        self._kept = bytearray() if keep else None
        self._opening = b""
        self._waiting = memoryview(b"")
        self._fed = 0
        self._start = 0
        #: Where, in the stream, the declared body ends: h11 hands on all of it that it has.
        self._through = 0
        self._ended = False

    def expect(self, opening: bytes) -> None:
        """Expect a new message, which must begin with `opening`.

        A peer with another protocol is detected by its first bytes, without waiting for a blank line that may never
        arrive.
        """
        self._opening = opening
        self._start = self._fed

    def declare(self, size: int) -> None:
        """The head of the message was the last event; a body of so many bytes follows, without framing."""
        self._through = self._fed - self._held + size

    @property
    def heard(self) -> bool:
        """Whether a byte of the expected message has arrived."""
        return self._fed > self._start

    @property
    def consumed(self) -> int:
        """The number of bytes of the message that were parsed into events so far."""
        return self._fed - self._start - self._held

    @property
    def clear(self) -> bool:
        """Whether all received bytes were consumed, and the stream has not ended."""
        return not (self._ended or self._held or self._waiting)

    @property
    def _held(self) -> int:
        return len(self._connection.trailing_data[0])

    def take(self) -> bytes:
        """Return the bytes that were parsed so far, if they are kept, and keep them no longer."""
        taken = bytes(self._kept or b"")[: self.consumed]
        if self._kept is not None:
            self._kept.clear()
        return taken

    def event(self) -> Generator[Receive, bytes | None, h11.Event]:
        """Return the next event.

        Raises:
            HttpError: "too-large", the event exceeds the limit; "incomplete", the stream ended before the event;
                "protocol", the bytes are not HTTP.
        """
        while (event := self._next()) is h11.NEED_DATA:
            if self._held >= self._limit:
                raise HttpError("too-large", f"more than {self._limit} bytes of header block or chunk framing")
            if not self._waiting:
                self._waiting = memoryview((yield RECEIVE) or b"")
            self._feed()
        assert isinstance(event, h11.Event)  # not h11.PAUSED, which follows a message: no caller reads past one
        return event

    def _next(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        try:
            return self._connection.next_event()
        except h11.RemoteProtocolError as error:
            # All bytes before the end were parsed without error, so only the end itself can be wrong.
            raise HttpError("incomplete" if self._ended else "protocol", str(error)) from error

    def _feed(self) -> None:
        """Pass on as much as h11 may hold; an empty buffer means the end of the stream."""
        room = max(self._limit - self._held, self._through - self._fed)
        piece, self._waiting = bytes(self._waiting[:room]), self._waiting[room:]
        expected = self._opening[: len(piece)]
        if piece[: len(expected)] != expected and piece:
            raise HttpError("protocol", f"the message begins with {piece[:20]!r}, not with {self._opening!r}")
        self._opening = self._opening[len(expected) :]
        self._ended = not piece
        self._fed += len(piece)
        if self._kept is not None:
            self._kept += piece
        self._connection.receive_data(piece)
