"""Turn an HTTP response, or the error that occurred instead, into the outcome of a URL.

The functions are pure.  A page is a 200; a redirect is one of five statuses with a Location that means an http(s) URL;
anything else is a failure with its reason.  300, 304, 305 and 306 are not redirects (RFC 9110, 15.4).  Only documents
of an HTML type are searched for links; any other document is a page without links.  One table, shared by all networks
and runtimes, turns errors into failures: the same error has the same name everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from datetime import UTC, datetime
from typing import Final

from ..net.wrappers import PrivateAddressError, ProxyDownError
from .charset import decoded, media_type
from .http import HttpError, ProxyError, Response
from .limits import LIMITS, Limits
from .links import LinkReader, forbids
from .outcome import FetchFailure, Outcome, Page, Redirect
from .reference import Check, bare_fragment
from .robots import AGENT
from .url import canonical

REDIRECTS: Final = (301, 302, 303, 307, 308)

#: All are parsed as HTML.  `application/xml` is one because the original crawler parsed it: XHTML is often labelled so.
HTML_TYPES: Final = ("text/html", "application/xhtml+xml", "application/xml")

#: A longer number of seconds is for ever anyhow.
_DIGITS_MAX: Final = 9


def outcome(
    url: str, response: Response, limits: Limits = LIMITS, obeys: bool = False, check: Check | None = None
) -> Outcome:
    """The outcome of a canonical URL from the response to it; see `reading`."""
    steps = reading(url, response, limits, obeys, check)
    while True:
        try:
            next(steps)
        except StopIteration as read:
            result: Outcome = read.value
            return result


def reading(
    url: str, response: Response, limits: Limits = LIMITS, obeys: bool = False, check: Check | None = None
) -> Generator[None, None, Outcome]:
    """Read a response, with a pause after each piece of a long page; return the outcome of its canonical URL.

    Links and Location are resolved against `url`; a Location that is missing or means no http(s) URL is
    `Failure("location")`.  A page with more than `limits` allow is `Failure("too-large")`.  With `obeys`, links are
    left out that are not to be followed: nofollow, of a page or of a link.  `check` selects the other parts to read.
    `content_type` is the value of the header, including its parameters.
    """
    size = len(response.body)
    content_type = response.header(b"content-type") or ""
    if response.status == 200:
        links = LinkReader(url, limits, obeys, check)
        forbidden = obeys and _nofollow(response)
        if forbidden:
            links.forbid()
        if media_type(content_type) in HTML_TYPES and not (forbidden and check is None):
            try:
                for i, piece in enumerate(decoded(response.body, content_type)):
                    if i:
                        yield
                    links.feed(piece)
            except HttpError as error:
                return FetchFailure(error.kind, 200, size, content_type)
        found = links.finish()
        return Page(found.links, 200, size, content_type, *(found.noted or ()))
    if response.status not in REDIRECTS:
        return FetchFailure("status", response.status, size, content_type, _retry_after_s(response))
    location = response.header(b"location")
    target = canonical(location, url) if location is not None else None
    if target is None or len(target) > limits.url_chars:
        return FetchFailure("location", response.status, size, content_type)
    fragment = bare_fragment(location) if location and check is not None and check.fragments else ""
    return Redirect(target, response.status, size, content_type, fragment)


def _retry_after_s(response: Response) -> float | None:
    """The seconds that a 429 or 503 asks to wait (RFC 9110, 10.2.3); a date counts from the date of the response."""
    text = (response.header(b"retry-after") or "") if response.status in (429, 503) else ""
    if text.isascii() and text.isdigit():
        return float(text[:_DIGITS_MAX])
    until, now = _date(text), _date(response.header(b"date") or "")
    return None if until is None or now is None else max(0.0, (until - now).total_seconds())


def _date(text: str) -> datetime | None:
    if not text:
        return None
    from email.utils import parsedate_to_datetime  # here, because only few answers need it

    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _nofollow(response: Response) -> bool:
    """Whether X-Robots-Tag says not to follow links; a rule may be for one crawler, "googlebot: nofollow"."""
    for name, value in response.headers:
        if name == b"x-robots-tag":
            agent, colon, rules = value.decode("latin-1").lower().rpartition(":")
            if (not colon or agent.strip() == AGENT) and forbids(rules):
                return True
    return False


def failure(error: OSError | HttpError) -> FetchFailure:
    """The outcome of a try that raised `error`: there was no connection, or no complete response."""
    import socket  # here, because only errors need it

    ssl = sys.modules.get("ssl")  # code that raised one of its errors has imported it
    match error:
        case ProxyError():
            return FetchFailure(error.kind, error.status)
        case HttpError():
            return FetchFailure(error.kind)
        case _ if ssl is not None and isinstance(error, ssl.SSLError):
            return FetchFailure("tls")
        case PrivateAddressError():
            return FetchFailure("private")
        case ProxyDownError():
            return FetchFailure("proxy-down")
        case socket.gaierror():
            return FetchFailure("no-such-host")
        case TimeoutError():
            return FetchFailure("timeout")
        case ConnectionResetError() | BrokenPipeError() | ConnectionAbortedError():
            return FetchFailure("reset")
        case _:
            return FetchFailure("refused")
