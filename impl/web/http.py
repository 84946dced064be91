"""HTTP/1.1, the client's side: one GET as a generator that does no I/O itself.

Theory of operation.
1.  `get` yields what it wants done, `Send(data)` or `RECEIVE`, and is sent the received bytes (b"" at the end
    of the stream); it returns a `Response` or raises an `HttpError`.  Whoever pumps it owns the connection:
    our loop, asyncio, trio, or a test with two lists.  Closing the connection, resets and timeouts are the
    pump's affair.
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

from .url import split

USER_AGENT: Final = "loopspec"


@dataclass(frozen=True, slots=True)
class Send:
    """Send `data`, all of it; answer None."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Receive:
    """Wait for bytes; answer them, or b"" at the end of the stream."""


RECEIVE: Final = Receive()


class HttpError(Exception):
    """No response: `kind` is "incomplete", "protocol" or "too-large" (see `impl.crawl.outcome.ERRORS`)."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a peer may send; one byte more is "too-large".

    `header_bytes`: a header block, with status line and blank line; with the informational responses before
    it. Precedents: node 16 KiB, Apache and tomcat 8 KiB (a line, a block), nginx 4 buffers of 8 KiB, h11 16
    KiB.
    `body_bytes`: a body; and, by itself, what its chunked framing adds.  Precedents: Scrapy warns at 32 MiB
    and gives up at 1 GiB; Nutch keeps 1 MiB.
    """

    header_bytes: int = 16 * 1024
    body_bytes: int = 32 * 1024 * 1024


LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class Response:
    """A whole response: names of headers are in lower case, in the order in which they came."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    def header(self, name: bytes) -> str | None:
        """The first value of that header (`name` in lower case); None if there is none.

        Read as UTF-8 if it is that, else as ISO 8859-1: browsers and servers send both (RFC 9110, 5.5).
        """
        for key, value in self.headers:
            if key == name:
                try:
                    return value.decode()
                except UnicodeDecodeError:
                    return value.decode("latin-1")
        return None


class Wire:
    """Feeds an h11 connection such that its events do not depend on how the stream is cut.

    `opening` is what the stream must begin with: who speaks another protocol is known by its first bytes,
    without waiting for a blank line that may never come.
    """

    def __init__(self, connection: h11.Connection, limit: int, opening: bytes = b"") -> None:
        self._connection = connection
        self._limit = limit
        self._opening = opening
        self._waiting = memoryview(b"")
        self._fed = 0
        self._ended = False

    @property
    def consumed(self) -> int:
        """How many bytes of the stream the events so far were made of."""
        return self._fed - self._held

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
        assert isinstance(event, h11.Event)  # not h11.PAUSED, which follows a message: we read only one
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
            raise HttpError("protocol", f"the stream begins with {piece[:20]!r}, not with {self._opening!r}")
        self._opening = self._opening[len(expected) :]
        self._ended = not piece
        self._fed += len(piece)
        self._connection.receive_data(piece)


def get(url: str, limits: Limits = LIMITS) -> Generator[Send | Receive, bytes | None, Response]:
    """GET a canonical URL over a connection of its own; returns the response, after any 1xx ones.

    Raises:
        HttpError: see `Wire.event`; "too-large" also for a body over `limits.body_bytes`.
        ValueError: `url` is not canonical.
    """
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=limits.header_bytes)
    wire = Wire(connection, limits.header_bytes, b"HTTP/")
    yield Send(_request(connection, url))
    head = yield from _head(wire, limits)
    body = yield from _body(wire, limits)
    return Response(head.status_code, tuple(head.headers), body)


def _request(connection: h11.Connection, url: str) -> bytes:
    address = split(url)
    headers = [
        ("Host", address.authority),
        ("User-Agent", USER_AGENT),
        ("Accept", "*/*"),
        # Without this header any content coding would be welcome (RFC 9110, 12.5.3).
        ("Accept-Encoding", "identity"),
        ("Connection", "close"),
    ]
    request = h11.Request(method="GET", target=address.target, headers=headers)
    return (connection.send(request) or b"") + (connection.send(h11.EndOfMessage()) or b"")


def _head(wire: Wire, limits: Limits) -> Generator[Receive, bytes | None, h11.Response]:
    """Skip 1xx responses (RFC 9110, 15.2) up to the final one."""
    while True:
        event = yield from wire.event()
        if wire.consumed > limits.header_bytes:
            raise HttpError("too-large", f"more than {limits.header_bytes} bytes of informational responses")
        if isinstance(event, h11.Response):
            return event


def _body(wire: Wire, limits: Limits) -> Generator[Receive, bytes | None, bytes]:
    start = wire.consumed
    pieces: list[bytes] = []
    size = 0
    while True:
        event = yield from wire.event()
        if not isinstance(event, h11.Data):
            return b"".join(pieces)
        pieces.append(bytes(event.data))
        size += len(event.data)
        framing = wire.consumed - start - size
        if max(size, framing) > limits.body_bytes:
            raise HttpError("too-large", f"more than {limits.body_bytes} bytes of body")
