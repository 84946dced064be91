"""Turn an HTTP response, or the error that occurred instead, into the outcome of a URL.

The functions are pure.  A page is a 200; a redirect is one of five statuses with a Location that means an http(s) URL;
anything else is a failure with its reason.  300, 304, 305 and 306 are not redirects (RFC 9110, 15.4).  Only documents
of an HTML type are searched for links; any other document is a page without links.  One table, shared by all networks
and runtimes, turns errors into failures: the same error has the same name everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Final

from ..net.public import PrivateAddressError
from .charset import decoded, media_type
from .http import HttpError, Response
from .limits import LIMITS, Limits
from .links import LinkReader
from .outcome import Failure, Outcome, Page, Redirect
from .url import canonical

REDIRECTS: Final = (301, 302, 303, 307, 308)

#: All are parsed as HTML.  `application/xml` is one because the original crawler parsed it: XHTML is often labelled so.
HTML_TYPES: Final = ("text/html", "application/xhtml+xml", "application/xml")


def outcome(url: str, response: Response, limits: Limits = LIMITS) -> Outcome:
    """The outcome of a canonical URL from the response to it; see `reading`."""
    steps = reading(url, response, limits)
    while True:
        try:
            next(steps)
        except StopIteration as read:
            result: Outcome = read.value
            return result


def reading(url: str, response: Response, limits: Limits = LIMITS) -> Generator[None, None, Outcome]:
    """Read a response, with a pause after each piece of a long page; return the outcome of its canonical URL.

    Links and Location are resolved against `url`; a Location that is missing or means no http(s) URL is
    `Failure("location")`.  A page with more than `limits` allow is `Failure("too-large")`.
    `content_type` is the value of the header, including its parameters.
    """
    size = len(response.body)
    content_type = response.header(b"content-type") or ""
    if response.status == 200:
        links = LinkReader(url, limits)
        if media_type(content_type) in HTML_TYPES:
            try:
                for i, piece in enumerate(decoded(response.body, content_type)):
                    if i:
                        yield
                    links.feed(piece)
            except HttpError as error:
                return Failure(error.kind, 200, size, content_type)
        return Page(links.finish(), 200, size, content_type)
    if response.status not in REDIRECTS:
        return Failure("status", response.status, size, content_type)
    location = response.header(b"location")
    target = canonical(location, url) if location is not None else None
    if target is None or len(target) > limits.url_chars:
        return Failure("location", response.status, size, content_type)
    return Redirect(target, response.status, size, content_type)


def failure(error: OSError | HttpError) -> Failure:
    """The outcome of a try that raised `error`: there was no connection, or no complete response."""
    import socket  # here, because only errors need it

    ssl = sys.modules.get("ssl")  # code that raised one of its errors has imported it
    match error:
        case HttpError():
            return Failure(error.kind)
        case _ if ssl is not None and isinstance(error, ssl.SSLError):
            return Failure("tls")
        case PrivateAddressError():
            return Failure("private")
        case socket.gaierror():
            return Failure("no-such-host")
        case TimeoutError():
            return Failure("timeout")
        case ConnectionResetError() | BrokenPipeError() | ConnectionAbortedError():
            return Failure("reset")
        case _:
            return Failure("refused")
