"""The outcome of one URL: a page, a redirect, or an error.  Errors are values and never end a worker.

An outcome is a function of the URL alone (including retries: it is the outcome of a bounded list of attempts), which
makes the whole crawl a least fixpoint: `impl.crawl.frontier`.  A fetcher makes outcomes, the frontier reads
only `links` and `target`, and the report prints all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from .reference import Reference

#: The possible values of `Failure.error`: stable, the same on every runtime and network.
ERRORS: Final = (
    "status",  # the server answered, with a status that is neither a page nor a redirect (see `status`)
    "no-such-host",  # the name has no address
    "private",  # the name has private addresses only, and the crawl is to stay on public ones
    "refused",  # no listener at the port, or the host cannot be reached
    "reset",  # the connection was reset
    "tls",  # the certificate, or the handshake, failed
    "incomplete",  # the connection ended before the response did, or the body before its content coding
    "timeout",  # the try exceeded its time limit
    "protocol",  # the answer is not HTTP
    "too-large",  # the header block, the body (as sent, or decoded), a tag or the number of links is over its limit
    "encoding",  # the content coding is not one that was accepted, or the body does not follow it
    "robots",  # robots.txt does not allow it: it was not fetched
    "proxy",  # the proxy refuses to lead there, or wants other credentials (see `status`)
    "proxy-down",  # the proxy cannot be reached
    "location",  # a redirect without a Location, or with one that is no http(s) URL
)

#: Those after which another try may succeed.
TRANSIENT: Final = ("no-such-host", "refused", "reset", "incomplete", "timeout", "proxy-down")


@dataclass(frozen=True, slots=True)
class Page:
    """A document with status 200.

    `links` are canonical URLs, distinct, in document order; empty when the content is not HTML.
    `size` counts the bytes of the body after content decoding.  Where they are checked (`Check`): `resources` are the
    canonical URLs of images, scripts and the like; `references`, the places of links and resources; `anchors`, the
    targets of fragments.
    """

    links: tuple[str, ...]
    status: int = 200
    size: int = 0
    content_type: str = ""
    resources: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Redirect:
    """A status of 301, 302, 303, 307 or 308 (RFC 9110, 15.4); `target` is the canonical URL of its Location.

    `fragment`: that of its Location, where fragments are checked.
    """

    target: str
    status: int = 302
    size: int = 0
    content_type: str = ""
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class FetchFailure:
    """No document: `error` is one of `ERRORS`; `status` is None if there was no response.

    The status of "proxy" is the proxy's.
    `retry_after_s`: the seconds after which the server wants to be asked again; None: it does not say so.
    """

    error: str
    status: int | None = None
    size: int = 0
    content_type: str = ""
    retry_after_s: float | None = None


Outcome = Page | Redirect | FetchFailure


def bare(outcome: Outcome) -> Outcome:
    """The outcome as far as the crawl needs it: without the references and anchors of a page."""
    if isinstance(outcome, Page) and (outcome.references or outcome.anchors):
        return replace(outcome, references=(), anchors=())
    return outcome
