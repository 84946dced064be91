"""HTTP/1.1, the server's side: a `Site` behind one connection, as a generator that does no I/O itself.

Theory of operation.  `serve` reads one request, answers as the site's resource says, and ends: then the pump
closes the connection.  It yields the commands of `impl.web.http` and three of its own: `Pause` (the latency
of the resource; the pump sleeps real or virtual time, or skips it), `RESET` (reset the connection, then stop)
and `HANG` (send nothing more; wait until the client goes away, then stop).  So the faults of a site are bytes
and commands, and are the same over every network.  Faults of a whole host ("refused", "no-such-host") never
get here.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Final

import h11

from .http import LIMITS, HttpError, Receive, Send, Wire
from .render import html, location, pick
from .site import Broken, Html, Moved, Raw, Resource, Site
from .url import canonical


@dataclass(frozen=True, slots=True)
class Pause:
    """Let `ms` milliseconds pass; answer None."""

    ms: int


@dataclass(frozen=True, slots=True)
class Hang:
    """Never answer: wait for the end of the client's stream, then close the generator."""


@dataclass(frozen=True, slots=True)
class Reset:
    """Reset the connection, then close the generator."""


HANG: Final = Hang()
RESET: Final = Reset()

Command = Send | Receive | Pause | Hang | Reset
Serving = Generator[Command, bytes | None, None]

_HTML: Final = "text/html; charset=utf-8"
_TEXT: Final = "text/plain; charset=utf-8"
_NO_HOST: Final = frozenset("/\\?#@")
_METHODS: Final = (b"GET", b"HEAD")
_BODILESS: Final = (204, 304)  # RFC 9110, 15.3.5 and 15.4.5
_MISSING: Final = Broken(status=404)

# Not HTTP, but with a blank line: a client that looks for a header block finds one.
_GARBAGE: Final = b"220 mail.example.test ESMTP\r\n\r\n"


def serve(site: Site) -> Serving:
    """Answer one request of one connection; see the theory of operation for what is yielded and sent in.

    A malformed request is answered with 400, another method than GET and HEAD with 405.

    Raises:
        ValueError: the resource's fault is one of its host, so nobody should have been able to connect.
    """
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=LIMITS.header_bytes)
    try:
        request = yield from Wire(connection, LIMITS.header_bytes).event()
    except HttpError:
        yield _Exchange(connection).answer(400)
        return
    if not isinstance(request, h11.Request):  # the client went away without a word
        return
    exchange = _Exchange(connection, request.method == b"HEAD")
    url = _url(request)
    if url is None:
        yield exchange.answer(400)
    elif request.method not in _METHODS:
        yield exchange.answer(405, {"Allow": b", ".join(_METHODS).decode()})
    else:
        yield from _resource(exchange, url, site.resources.get(url, _MISSING))


def _url(request: h11.Request) -> str | None:
    """What is asked for: target and Host header, or the target alone in absolute form (RFC 9112, 3.2.2)."""
    target = request.target.decode("latin-1")
    if not target.startswith("/"):
        return canonical(target)
    host = dict(request.headers).get(b"host", b"").decode("latin-1")
    # Without a host, or with what is none, the parser would look for the host in the target.
    return canonical(f"http://{host}{target}") if host and not _NO_HOST.intersection(host) else None


def _resource(exchange: _Exchange, url: str, resource: Resource) -> Serving:
    if resource.latency_ms:
        yield Pause(resource.latency_ms)
    match resource:
        case Html():
            page = html(url, resource)
            yield exchange.answer(200, {"Content-Type": _HTML}, page, chunked=pick(url, "framing", 2) == 1)
        case Raw(body, content_type):
            yield exchange.answer(200, {"Content-Type": content_type}, body)
        case Moved(target, status):
            yield exchange.answer(status, {"Location": location(url, target)})
        case Broken():
            yield from _broken(exchange, url, resource)


def _broken(exchange: _Exchange, url: str, broken: Broken) -> Serving:
    match broken.fault:
        case "status":
            yield exchange.answer(broken.status)
        case "no-location":
            yield exchange.answer(302)
        case "garbage":
            yield Send(_GARBAGE)
        case "silent":
            yield HANG
        case "incomplete":
            yield _half(exchange, url)
        case "reset":
            yield _half(exchange, url)
            yield RESET
        case "refused" | "no-such-host":
            raise ValueError(f"{url} is {broken.fault}: the network must let nobody connect to its host")


def _half(exchange: _Exchange, url: str) -> Send:
    """Half of a page with a link: who takes it for whole crawls on to a URL that does not exist."""
    page = html(url, Html((canonical("?half", url) or url,))) + b"<p>The end.\n" * 100
    return exchange.answer(200, {"Content-Type": _HTML}, page, end=len(page) // 2)


class _Exchange:
    """The answering half of one request."""

    def __init__(self, connection: h11.Connection, head: bool = False) -> None:
        self._send = connection.send
        self._head = head

    def answer(
        self,
        status: int,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        *,
        chunked: bool = False,
        end: int | None = None,
    ) -> Send:
        """A response; without `body`, the status as text.  `end` cuts the body, not its Content-Length."""
        fields = dict(headers or {})
        if body is None:
            fields.setdefault("Content-Type", _TEXT)
            body = f"{status}\n".encode()
        if not chunked:
            fields["Content-Length"] = str(len(body))
        fields["Connection"] = "close"
        events: list[h11.Event] = [h11.Response(status_code=status, headers=list(fields.items()))]
        if not self._head and status not in _BODILESS:
            events += [h11.Data(data=part) for part in (body[: len(body) // 3], body[len(body) // 3 : end])]
        if end is None:
            events.append(h11.EndOfMessage())
        return Send(b"".join(self._send(event) or b"" for event in events))
