"""A site as data: the answer and the behaviour of each URL; no I/O, no loop.

A site maps canonical URLs to resources.  It is static: the answer to a GET depends on its URL, and with faults on its
number among those of its URL.  That is the one assumption that makes a crawl's result independent of the schedule.
The same site is read in three ways: `serving.server` turns it into HTTP, an oracle reads its links without HTML or
HTTP, and a shrinker deletes from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..url import split

#: The faults of a resource, besides its status: see `Broken`.
Fault = Literal["status", "refused", "no-such-host", "reset", "incomplete", "silent", "garbage", "no-location"]

#: The faults of one attempt (`serving.faults`): the connection ends too early, or in silence, the response is not
#: HTTP, contradicts itself, or is too large.
AttemptFault = Literal[
    "reset-first",  # before the first byte
    "reset-head",  # within the header block
    "reset-body",
    "reset-after",  # after the whole response
    "empty",  # the end, before the first byte
    "half-head",
    "half-body",
    "half-close",  # the whole response, then the end of the data, on a connection that stays
    "drip",  # the whole response, in small pieces
    "late",  # the whole response, at about the time limit of a client
    "silent",
    "silent-head",  # within the header block
    "silent-body",
    "garbage",
    "garbage-head",
    "garbage-coding",  # the body does not follow its content coding
    "short-length",  # the whole response, then more than its length says
    "long-length",  # less than its length says
    "two-lengths",
    "bad-length",
    "bad-chunk",
    "no-last-chunk",
    "big-head",
    "big-body",
]


@dataclass(frozen=True, slots=True)
class Html:
    """A page that links to `links` (canonical URLs, in document order), answered after `latency_ms`."""

    links: tuple[str, ...] = ()
    latency_ms: int = 0


@dataclass(frozen=True, slots=True)
class Raw:
    """A document with status 200, served byte for byte: a file, for instance."""

    body: bytes
    content_type: str
    latency_ms: int = 0


@dataclass(frozen=True, slots=True)
class Moved:
    """A redirect to `target` (a canonical URL)."""

    target: str
    status: int = 302
    latency_ms: int = 0


@dataclass(frozen=True, slots=True)
class Broken:
    """A URL that yields no document.

    `fault`: "status" answers with `status`; "refused" and "no-such-host" concern the whole host of the URL (all its
    URLs must have the same fault); "reset" and "incomplete" break off within the body; "silent" never answers;
    "garbage" answers with bytes that are not HTTP; "no-location" is a redirect without a Location.
    """

    fault: Fault = "status"
    status: int = 404
    latency_ms: int = 0


@dataclass(frozen=True, slots=True)
class Struck:
    """A resource with a `fault` that strikes its answer; a site has none of these: `serving.faults` makes them."""

    fault: AttemptFault
    resource: Resource
    latency_ms: int = 0


Resource = Html | Raw | Moved | Broken | Struck


@dataclass(frozen=True, slots=True)
class Site:
    """A static web; `limit` is the redirect budget of a root or link.

    `faults` are those that the first attempts at a URL of `resources` meet, in order; None is no fault, and after the
    last one there is none.

    Its hosts and ports are those of `resources` and `roots` (see `places`).  There, a URL that is not in `resources`
    answers 404.  A host that is only linked to does not exist; a port that is only linked to has no listener.
    """

    resources: Mapping[str, Resource]
    roots: tuple[str, ...]
    limit: int = 10
    faults: Mapping[str, tuple[AttemptFault | None, ...]] = field(default_factory=dict)


def places(site: Site) -> dict[tuple[str, int], bool]:
    """Map the hosts and ports that exist, in order of appearance, to whether there is a listener.

    A place does not exist if all its URLs are "no-such-host", and has no listener if all are "refused".  A root's
    place is served even if the site has no resource there: each request is then answered with 404.
    """
    found: dict[tuple[str, int], bool] = {}
    missing = Broken()
    for url, resource in (
        *((root, site.resources.get(root, missing)) for root in site.roots),
        *site.resources.items(),
    ):
        fault = resource.fault if isinstance(resource, Broken) else None
        if fault != "no-such-host":
            address = split(url)
            place = (address.host, address.port)
            found[place] = found.get(place, False) or fault != "refused"
    return found


def resource_at(site: Site, url: str) -> Resource:
    """The resource for a GET of any canonical URL, whether `site.resources` contains it or not."""
    resource = site.resources.get(url)
    if resource is not None:
        return resource
    address, listening = split(url), places(site)
    if listening.get((address.host, address.port)):
        return Broken("status", 404)
    return Broken("refused" if any(host == address.host for host, _ in listening) else "no-such-host")
