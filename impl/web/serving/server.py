"""HTTP/1.1, the server's side: a `Site` behind one connection, as a generator that does no I/O itself.

1.  `serve` answers one request after another, as the site's resources specify, until the client goes away or an answer
    ends the connection; then the pump closes it.  It yields the commands of `impl.web.wire` and `serving.commands`.
    So the faults of a site are bytes and commands, the same over every network.  Faults of a whole host ("refused",
    "no-such-host") never get here.
2.  Pages are sent in the ways of real servers (`_manner`): with a length, in chunks, or by an HTTP/1.0 server up to the
    end of the connection; plain, or in a content coding that the client accepts.  Some servers close the connection
    afterwards, announced or not.  The URL alone determines the manner.
3.  Codings are made of stored blocks (RFC 1951, 3.2.4): the output of a compressor differs between versions of zlib,
    and would change the segments of simulated runs.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import h11

from ..limits import LIMITS
from ..url import canonical
from ..wire import HttpError, Receive, Send, Wire
from .commands import HANG, RESET, Command, Pause
from .faults import GARBAGE, UNANSWERED, Attempts, strike
from .render import KEPT, html, location, pick
from .site import Broken, Html, Moved, Raw, Resource, Site, Struck

Serving = Generator[Command, bytes | None, None]

_HTML: Final = "text/html; charset=utf-8"
_TEXT: Final = "text/plain; charset=utf-8"
_NO_HOST: Final = frozenset("/\\?#@")
_METHODS: Final = (b"GET", b"HEAD")
_BODILESS: Final = (204, 304)  # no body, and no known Content-Length: RFC 9110, 8.6
_MISSING: Final = Broken(status=404)


def serve(site: Site) -> Serving:
    """Answer the requests of one connection; the head of this module describes the commands.

    A malformed request is answered with 400, a method other than GET and HEAD with 405; both end the connection.

    Raises:
        ValueError: a resource's fault is one of its whole host, so the connection should have been impossible.
    """
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=LIMITS.header_bytes)
    wire = Wire(connection, LIMITS.header_bytes)
    reused = False
    while True:
        try:
            request = yield from _request(wire)
        except HttpError:
            yield _Exchange(connection).answer(400, close=True)
            return
        if request is None:
            return
        exchange = _Exchange(connection, request, reused)
        yield from _respond(exchange, site, request)
        if exchange.leaves or connection.our_state is not h11.DONE:
            return
        connection.start_next_cycle()
        reused = True


def _request(wire: Wire) -> Generator[Receive, bytes | None, h11.Request | None]:
    """Return the next request, after its body (which GET and HEAD ignore); None if there is none.

    For another method it does not wait for the body.
    """
    request = yield from wire.event()
    if not isinstance(request, h11.Request):
        return None
    if request.method in _METHODS:
        while isinstance((yield from wire.event()), h11.Data):
            pass
    return request


def _respond(exchange: _Exchange, site: Site, request: h11.Request) -> Serving:
    url = _url(request)
    if url is None:
        yield exchange.answer(400, close=True)
    elif request.method not in _METHODS:
        yield exchange.answer(405, {"Allow": b", ".join(_METHODS).decode()}, close=True)
    else:
        resource = _attempt(site.resources, url, exchange.reused)
        yield from _resource(exchange, url, resource, _manner(url))


def _attempt(resources: Mapping[str, Resource], url: str, reused: bool) -> Resource:
    """The resource that this attempt meets.

    The end of a reused connection before a byte of the response says nothing about the URL, and clients repeat the
    request (RFC 9112, 9.3.1).  It is no attempt: how often a client reuses a connection must not decide the fault of
    the next one.
    """
    resource = resources.get(url, _MISSING)
    unanswered = isinstance(resource, Struck) and resource.fault in UNANSWERED
    if isinstance(resources, Attempts) and not (reused and unanswered):
        resources.made(url)
    return resource


def _url(request: h11.Request) -> str | None:
    """The requested URL: target and Host header, or the target alone in absolute form (RFC 9112, 3.2.2)."""
    target = request.target.decode("latin-1")
    if not target.startswith("/"):
        return canonical(target)
    host = dict(request.headers).get(b"host", b"").decode("latin-1")
    # Without a valid host, the parser would look for the host in the target.
    return canonical(f"http://{host}{target}") if host and not _NO_HOST.intersection(host) else None


def _resource(exchange: _Exchange, url: str, resource: Resource, manner: _Manner) -> Serving:
    if resource.latency_ms:
        yield Pause(resource.latency_ms)
    match resource:
        case Html():
            yield exchange.page(html(url, resource), manner)
        case Raw(body, content_type):
            yield exchange.answer(200, {"Content-Type": content_type}, body)
        case Moved(target, status):
            yield exchange.answer(status, {"Location": location(url, target)})
        case Broken():
            yield from _broken(exchange, url, resource)
        case Struck(fault, struck):
            for command in _resource(exchange, url, struck, _PLAIN):
                yield from strike(fault, command.data) if isinstance(command, Send) else (command,)
            exchange.leaves = True


def _broken(exchange: _Exchange, url: str, broken: Broken) -> Serving:
    match broken.fault:
        case "status":
            yield exchange.answer(broken.status)
        case "no-location":
            yield exchange.answer(302)
        case "garbage":
            yield Send(GARBAGE)
        case "silent":
            yield HANG
        case "incomplete":
            yield _half(exchange, url)
        case "reset":
            yield _half(exchange, url)
            yield RESET
        case "refused" | "no-such-host":
            raise ValueError(f"{url} is {broken.fault}: the network must not accept connections to its host")


def _half(exchange: _Exchange, url: str) -> Send:
    """Half of a page with a link: a crawler that treats it as complete follows it to a URL that does not exist."""
    page = html(url, Html((canonical("?half", url) or url,))) + b"<p>The end.\n" * 100
    return exchange.answer(200, {"Content-Type": _HTML}, page, end=len(page) // 2)


@dataclass(frozen=True, slots=True)
class _Manner:
    """A server's way to send a page, and whether it closes the connection."""

    framing: str  # "length", "chunked", "end": up to the end of the connection
    coding: str  # "", "gzip", "deflate"
    coder: Callable[[bytes], bytes]
    farewell: str  # "": keeps the connection; "close": announces and closes; "leave": closes unannounced


@lru_cache(maxsize=KEPT)
def _manner(url: str) -> _Manner:
    framing = _FRAMINGS[pick(url, "framing", len(_FRAMINGS))]
    coding, coder = _CODINGS[pick(url, "coding", len(_CODINGS))]
    return _Manner(framing, coding, coder, _FAREWELLS[pick(url, "farewell", len(_FAREWELLS))])


def _stored(data: bytes) -> bytes:
    """Raw deflate (RFC 1951) that compresses nothing."""
    blocks = [data[i : i + 0xFFFF] for i in range(0, len(data), 0xFFFF)] or [b""]
    sizes = (len(block).to_bytes(2, "little") for block in blocks)
    return b"".join(
        bytes([i == len(blocks)]) + size + bytes(byte ^ 0xFF for byte in size) + block
        for i, (size, block) in enumerate(zip(sizes, blocks, strict=True), 1)
    )


def _zlib(data: bytes) -> bytes:
    """RFC 1950."""
    return b"\x78\x01" + _stored(data) + zlib.adler32(data).to_bytes(4, "big")


def _gzip(data: bytes) -> bytes:
    """RFC 1952: no name, no time, unknown system."""
    check, size = zlib.crc32(data), len(data) & 0xFFFFFFFF
    trailer = check.to_bytes(4, "little") + size.to_bytes(4, "little")
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + _stored(data) + trailer


_FRAMINGS: Final = ("length", "chunked", "length", "chunked", "end")
_CODINGS: Final = (("", bytes), ("gzip", _gzip), ("", bytes), ("deflate", _zlib), ("deflate", _stored))
#: The manner of pages that a fault strikes.
_PLAIN: Final = _Manner("length", "", bytes, "")
_FAREWELLS: Final = ("", "", "", "", "", "", "close", "leave")


class _Exchange:
    """The response to one request; None: to one that was malformed."""

    def __init__(self, connection: h11.Connection, request: h11.Request | None = None, reused: bool = False) -> None:
        self._send = connection.send
        self._head = request is not None and request.method == b"HEAD"
        self._accepted = _accepted(request) if request is not None else []
        #: Whether the connection has carried another request.
        self.reused = reused
        #: Whether the connection is closed after an answer that does not announce it.
        self.leaves = False

    def page(self, page: bytes, manner: _Manner) -> Send:
        """A page, sent in `manner` as far as the client accepts it."""
        headers = {"Content-Type": _HTML}
        if manner.coding in self._accepted:
            headers["Content-Encoding"] = manner.coding
            page = manner.coder(page)
        self.leaves = manner.farewell == "leave"
        if manner.framing == "end":
            lines = ["HTTP/1.0 200 OK", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
            self.leaves = True
            return Send("\r\n".join(lines).encode() + (b"" if self._head else page))
        chunked, close = manner.framing == "chunked", manner.farewell == "close"
        return self.answer(200, headers, page, chunked=chunked, close=close)

    def answer(
        self,
        status: int,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        *,
        chunked: bool = False,
        close: bool = False,
        end: int | None = None,
    ) -> Send:
        """A response; without `body`, the status as text.  `end` truncates the body, not its Content-Length."""
        fields = dict(headers or {})
        if close:
            fields["Connection"] = "close"
        if status in _BODILESS:
            body = b""
        elif body is None:
            fields.setdefault("Content-Type", _TEXT)
            body = f"{status}\n".encode()
        if not chunked and status not in _BODILESS:
            fields["Content-Length"] = str(len(body))
        events: list[h11.Event] = [h11.Response(status_code=status, headers=list(fields.items()))]
        if not self._head and body:
            events += [h11.Data(data=part) for part in (body[: len(body) // 3], body[len(body) // 3 : end])]
        if end is None:
            events.append(h11.EndOfMessage())
        return Send(b"".join(self._send(event) or b"" for event in events))


def _accepted(request: h11.Request) -> list[str]:
    """The content codings that a client accepts; a weight of 0 means that it does not."""
    fields = b",".join(value for name, value in request.headers if name == b"accept-encoding").decode("latin-1")
    weighted = (item.replace(" ", "").lower().partition(";q=") for item in fields.split(","))
    return [name for name, _, weight in weighted if name and (not weight or weight.strip("0."))]
