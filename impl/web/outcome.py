"""What became of one URL: a page, a redirect, or an error.  Errors are values, never dead workers.

Theory of operation.  An outcome is a function of the URL alone (retries included: it is the outcome of a bounded
list of attempts), which is what makes the whole crawl a least fixpoint: `impl.crawl.frontier`.  Whoever fetches
makes outcomes, the frontier reads only `links` and `target`, the report writes all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: The words that a `Failure.error` may be: stable, the same on every runtime and network.
ERRORS: Final = (
    "status",  # the server answered, with a status that is neither a page nor a redirect (see `status`)
    "no-such-host",  # the name has no address
    "refused",  # nobody listens there, or the host cannot be reached
    "reset",  # the connection was reset
    "tls",  # the certificate, or the handshake, failed
    "incomplete",  # the connection ended before the response did, or the body before its content coding
    "timeout",  # the try took longer than it may
    "protocol",  # what came is not HTTP
    "too-large",  # the header block, or the body (as sent, or decoded), is over its limit
    "encoding",  # the body's content coding is not one that was asked for, or the body is not of it
    "location",  # a redirect without a Location, or with one that is no http(s) URL
)


@dataclass(frozen=True, slots=True)
class Page:
    """A document with status 200.

    `links` are canonical URLs, distinct, in document order; empty when the content is not HTML.
    `size` counts the bytes of the body, its content coding undone.
    """

    links: tuple[str, ...]
    status: int = 200
    size: int = 0
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class Redirect:
    """A status of 301, 302, 303, 307 or 308 (RFC 9110, 15.4); `target` is the canonical URL of its Location."""

    target: str
    status: int = 302
    size: int = 0
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """No document: `error` is one of `ERRORS`; `status` is None when no response came."""

    error: str
    status: int | None = None
    size: int = 0
    content_type: str = ""


Outcome = Page | Redirect | Failure
