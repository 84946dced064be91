"""HTTP/1.1 on the wire: what a protocol asks of its pump, and `Wire`, which feeds h11.

Theory of operation.
1.  A protocol is a generator that does no I/O: it yields what it wants done, `Send(data)` or `RECEIVE`, and is
    sent the received bytes (b"" at the end of the stream).  Whoever pumps it owns the connection: our loop,
    asyncio, trio, or a test with two lists.  Closing, resets and timeouts are the pump's affair.
2.  h11 is the protocol; `Wire` stands before it, so that the outcome is a function of the bytes alone and
    never of the segments in which they came.  h11's own limit is not (h11 issue 182: a 40 kB header block
    passes in one piece and fails in pieces of 1 KiB), because it looks at what is left *after* parsing.
    `Wire` never lets h11 hold more than the limit, so that a header block, a chunk's size line or a trailer
    over it can never be completed, however it comes: then it is "too-large".
3.  An error has one place in the stream of bytes, where it is first certain, and the earliest one counts.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import h11


@dataclass(frozen=True, slots=True)
class Send:
    """Send `data`, all of it; answer None."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Receive:
    """Wait for bytes; answer them, or b"" at the end of the stream."""


RECEIVE: Final = Receive()


class HttpError(Exception):
    """No response: `kind` is "incomplete", "protocol", "too-large" or "encoding" (`impl.web.outcome.ERRORS`)."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a peer may send; one byte more is "too-large".

    `header_bytes`: a header block, with status line and blank line; with the informational responses before
    it. Precedents: node 16 KiB, Apache and tomcat 8 KiB (a line, a block), nginx 4 buffers of 8 KiB, h11 16
    KiB.
    `body_bytes`: a body as it is sent, and again when its content coding is undone; and, by itself, what its
    chunked framing adds.  Precedents: Scrapy warns at 32 MiB and gives up at 1 GiB; Nutch keeps 1 MiB.
    """

    header_bytes: int = 16 * 1024
    body_bytes: int = 32 * 1024 * 1024


LIMITS: Final = Limits()


class Wire:
    """Feeds an h11 connection such that its events do not depend on how the stream is cut."""

    def __init__(self, connection: h11.Connection, limit: int) -> None:
        self._connection = connection
        self._limit = limit
        self._opening = b""
        self._waiting = memoryview(b"")
        self._fed = 0
        self._start = 0
        self._ended = False

    def expect(self, opening: bytes) -> None:
        """A new message is to come, which must begin with `opening`: who speaks another protocol is known by
        the first bytes, without waiting for a blank line that may never come.
        """
        self._opening = opening
        self._start = self._fed

    @property
    def heard(self) -> bool:
        """Whether a byte of the expected message has come."""
        return self._fed > self._start

    @property
    def consumed(self) -> int:
        """How many bytes of the message its events so far were made of."""
        return self._fed - self._start - self._held

    @property
    def clear(self) -> bool:
        """Whether all that came was consumed, and more may come."""
        return not (self._ended or self._held or self._waiting)

    @property
    def _held(self) -> int:
        return len(self._connection.trailing_data[0])

    def event(self) -> Generator[Receive, bytes | None, h11.Event]:
        """The next event.

        Raises:
            HttpError: "too-large", it does not fit the limit; "incomplete", the stream ended before it did;
                "protocol", this is not HTTP.
        """
        while (event := self._next()) is h11.NEED_DATA:
            if self._held >= self._limit:
                raise HttpError(
                    "too-large", f"more than {self._limit} bytes of header block or chunk framing"
                )
            if not self._waiting:
                self._waiting = memoryview((yield RECEIVE) or b"")
            self._feed()
        assert isinstance(event, h11.Event)  # not h11.PAUSED, which follows a message: nobody reads on there
        return event

    def _next(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        try:
            return self._connection.next_event()
        except h11.RemoteProtocolError as error:
            # All that had come was understood before the end was fed: only the end can be wrong then.
            raise HttpError("incomplete" if self._ended else "protocol", str(error)) from error

    def _feed(self) -> None:
        """Hand on as much as h11 may hold; nothing waiting is the end of the stream."""
        room = self._limit - self._held
        piece, self._waiting = bytes(self._waiting[:room]), self._waiting[room:]
        expected = self._opening[: len(piece)]
        if piece[: len(expected)] != expected and piece:
            raise HttpError("protocol", f"the message begins with {piece[:20]!r}, not with {self._opening!r}")
        self._opening = self._opening[len(expected) :]
        self._ended = not piece
        self._fed += len(piece)
        self._connection.receive_data(piece)
