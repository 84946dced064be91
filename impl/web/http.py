"""HTTP/1.1, the client's side: GETs on one connection, as generators that do no I/O themselves.

1.  A `Client` is one connection; each `get` on it is a generator (`impl.web.wire`) that returns a `Response` or raises
    an `HttpError`.  `reusable` is true if another request may follow: the last response was complete, delimited its own
    body, did not announce the end of the connection (RFC 9112, 9.3), and no bytes followed it.  An HTTP/1.0 server's
    connection is never reused.  The function `get` uses a connection for one request.
2.  An error ends the connection, and so does closing a generator before its end.
3.  Only the body of a 200 is decoded, because no other body is read: an undecodable body of a redirect or an error
    hides neither Location nor status.
4.  On a connection to a proxy, a `get` of an http URL names the whole URL (RFC 9112, 3.2.2), and `tunnel` makes it a
    connection to the origin of an https URL, for another `Client` (RFC 9110, 9.3.6).  The proxy's credentials are in
    those requests, and in no others.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

import h11

from .coding import ACCEPTED, Content, codings
from .limits import LIMITS, Limits
from .proxy import Proxy
from .url import Address, origin, split
from .wire import RECEIVE, HttpError, Receive, Send, Wire

__all__ = [
    "ANONYMOUS",
    "LIMITS",
    "RECEIVE",
    "Client",
    "Dialogue",
    "Exchange",
    "HttpError",
    "Identity",
    "Limits",
    "ProxyError",
    "Receive",
    "Response",
    "Send",
    "get",
]

USER_AGENT: Final = "loopspec"


@dataclass(frozen=True, slots=True)
class Identity:
    """How a client introduces itself, in each request.

    `headers` may hold a password: they go to `origins` only, each a scheme and an authority (RFC 6454, 4).
    """

    user_agent: str = USER_AGENT
    headers: tuple[tuple[str, str], ...] = ()
    origins: tuple[str, ...] = ()


ANONYMOUS: Final = Identity()

#: The proxy wants credentials (RFC 9110, 15.5.8); an origin does not answer so.
_PROXY_AUTHENTICATION: Final = 407

#: Statuses of responses that end with their header block, whatever their headers declare (RFC 9112, 6.3).
BODILESS: Final = (204, 304)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The bytes of a request and its response on the wire.

    request: without the values of headers that may be secret; head: the header block of the response, from its status
    line to its blank line; body: all after it, in its framing and codings.
    """

    request: bytes
    head: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class Response:
    """A complete response; names of headers are in lower case, in the order of arrival.

    `body` is the content, with its codings decoded (if `status` is 200); `exchange` is there if the client keeps it.
    """

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    exchange: Exchange | None = None

    def header(self, name: bytes) -> str | None:
        """The first value of that header (`name` in lower case); None if there is none.

        It is decoded as UTF-8 if it is valid, else as ISO 8859-1: both are sent in practice (RFC 9110, 5.5).
        """
        for key, value in self.headers:
            if key == name:
                try:
                    return value.decode()
                except UnicodeDecodeError:
                    return value.decode("latin-1")
        return None


Dialogue = Generator[Send | Receive, bytes | None, Response]


class ProxyError(HttpError):
    """The proxy refuses to carry a request; `status` is its answer."""

    def __init__(self, status: int) -> None:
        super().__init__("proxy", f"the proxy answered {status}")
        self.status = status


class Client:
    """The client's end of one connection, to an origin or to `proxy`.

    `keep`: a response has its `Exchange`.
    """

    def __init__(
        self,
        limits: Limits = LIMITS,
        identity: Identity = ANONYMOUS,
        proxy: Proxy | None = None,
        keep: bool = False,
    ) -> None:
        self._limits = limits
        self._identity = identity
        self._proxy = proxy
        self._connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=limits.header_bytes)
        self._wire = Wire(self._connection, limits.header_bytes, keep)
        self._keeps = keep
        self._begun = 0

    @property
    def reusable(self) -> bool:
        """Whether a first or another `get` may begin."""
        states = (self._connection.our_state, self._connection.their_state)
        return states in ((h11.IDLE, h11.IDLE), (h11.DONE, h11.DONE)) and self._wire.clear

    @property
    def answered(self) -> bool:
        """Whether the response to the last `get` has begun; bytes that are not HTTP are not its beginning."""
        return self._wire.heard

    def get(self, url: str, *, close: bool = False) -> Dialogue:
        """GET a canonical URL; returns the response, after any 1xx ones.

        `close` asks the server to close the connection afterwards.

        Raises:
            HttpError: see `Wire.event`; "too-large" also for a body over `limits.body_bytes`, as soon as its
                declared or received length is; "encoding", "incomplete": see `impl.web.coding`.
            ProxyError: the proxy wants other credentials.
            ValueError: `url` is not canonical.
            RuntimeError: the connection is not reusable.
        """
        head = yield from self._ask(_request(url, close, self._identity, self._proxy))
        if head.status_code == _PROXY_AUTHENTICATION and self._proxy is not None:
            raise ProxyError(head.status_code)
        begun, ended = self._begun, self._wire.consumed
        body = yield from self._body(head)
        exchange = None
        if self._keeps:
            kept = self._wire.take()
            exchange = Exchange(self._shown(url, close), kept[begun:ended], kept[ended:])
        return Response(head.status_code, tuple(head.headers), body, exchange)

    def _shown(self, url: str, close: bool) -> bytes:
        """The request for a URL, without the values of the user's headers and of the proxy's credentials."""
        identity = replace(self._identity, headers=tuple((name, "") for name, _ in self._identity.headers))
        proxy = self._proxy
        if proxy is not None and proxy.authorization is not None:
            proxy = replace(proxy, authorization="")
        return h11.Connection(h11.CLIENT).send(_request(url, close, identity, proxy)) or b""

    def tunnel(self, address: Address) -> Generator[Send | Receive, bytes | None, None]:
        """CONNECT to an origin; afterwards the connection to the proxy is one to that origin, for another client.

        Raises:
            HttpError: as `get`; ProxyError, the proxy refuses.
            RuntimeError: the connection is not reusable.
        """
        head = yield from self._ask(_connect(address, self._identity, self._proxy))
        if not 200 <= head.status_code < 300:
            raise ProxyError(head.status_code)
        if not self._wire.clear:
            raise HttpError("protocol", "bytes in the tunnel, where the client begins")

    def _ask(self, request: h11.Request) -> Generator[Send | Receive, bytes | None, h11.Response]:
        """Send a request; return the head of the final response."""
        if not self.reusable:
            raise RuntimeError("this connection carries no other request; open a new one")
        connection = self._connection
        if connection.our_state is h11.DONE:
            connection.start_next_cycle()
        self._wire.expect(b"HTTP/")
        yield Send((connection.send(request) or b"") + (connection.send(h11.EndOfMessage()) or b""))
        return (yield from self._head())

    def _head(self) -> Generator[Receive, bytes | None, h11.Response]:
        """Skip 1xx responses (RFC 9110, 15.2) up to the final one, which begins after `_begun` bytes."""
        limit = self._limits.header_bytes
        while True:
            self._begun = self._wire.consumed
            event = yield from self._wire.event()
            if self._wire.consumed > limit:
                raise HttpError("too-large", f"more than {limit} bytes of informational responses")
            if isinstance(event, h11.Response):
                return event

    def _body(self, head: h11.Response) -> Generator[Receive, bytes | None, bytes]:
        wire, limit, framing = self._wire, self._limits.body_bytes, self._limits.framing_bytes
        declared = _declared(head)
        if declared > limit:
            raise HttpError("too-large", f"a body of {declared} bytes; {limit} is the limit")
        wire.declare(declared)
        applied = codings(_field(head, b"content-encoding")) if head.status_code == 200 else ()
        content = Content(applied, limit, self._limits.ratio)
        start, size = wire.consumed, 0
        while isinstance(event := (yield from wire.event()), h11.Data):
            # Checked in the order of the stream: the framing precedes the data.
            if wire.consumed - start - size - len(event.data) > framing:
                raise HttpError("too-large", f"more than {framing} bytes of chunk framing")
            content.feed(bytes(event.data[: limit - size]))
            size += len(event.data)
            if size > limit:
                raise HttpError("too-large", f"more than {limit} bytes of body")
        return content.finish()


def get(url: str, limits: Limits = LIMITS) -> Dialogue:
    """GET a canonical URL over a connection of its own; see `Client.get`."""
    return Client(limits).get(url, close=True)


def _request(url: str, close: bool, identity: Identity, proxy: Proxy | None) -> h11.Request:
    address = split(url)
    headers = [
        ("Host", address.authority),
        ("User-Agent", identity.user_agent),
        ("Accept", "*/*"),
        # Without this header any content coding would be acceptable (RFC 9110, 12.5.3).
        ("Accept-Encoding", ACCEPTED),
    ]
    if identity.headers and origin(address) in identity.origins:
        headers.extend(identity.headers)
    if close:
        headers.append(("Connection", "close"))
    target = address.target if proxy is None else url
    return h11.Request(method="GET", target=target, headers=headers + _credentials(proxy))


def _connect(address: Address, identity: Identity, proxy: Proxy | None) -> h11.Request:
    """A request for a tunnel; its target always has a port (RFC 9112, 3.2.3)."""
    host = f"[{address.host}]" if ":" in address.host else address.host
    target = f"{host}:{address.port}"
    headers = [("Host", target), ("User-Agent", identity.user_agent), *_credentials(proxy)]
    return h11.Request(method="CONNECT", target=target, headers=headers)


def _credentials(proxy: Proxy | None) -> list[tuple[str, str]]:
    known = None if proxy is None else proxy.authorization
    return [] if known is None else [("Proxy-Authorization", known)]


def _field(head: h11.Response, name: bytes) -> str:
    """All values of that header as one list (RFC 9110, 5.3)."""
    return b", ".join(value for key, value in head.headers if key == name).decode("latin-1")


def _declared(head: h11.Response) -> int:
    """The Content-Length where it applies (RFC 9112, 6.3), else 0; h11 has checked its form, and that it is unique."""
    if head.status_code in BODILESS or _field(head, b"transfer-encoding"):
        return 0
    return int(_field(head, b"content-length") or 0)
