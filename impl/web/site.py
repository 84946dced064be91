"""A site as data: what each URL answers, and how it behaves; no I/O, no loop.

Theory of operation.  A site maps canonical URLs to resources.  It is static: every GET of a URL meets the same
resource, which is the one assumption that makes a crawl's result independent of the schedule.  The same site is
read three ways: `impl.web.server` turns it into HTTP, an oracle reads its links without HTML or HTTP at all, and
a shrinker deletes from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .url import split

#: What a resource may do wrong besides its status: see `Broken`.
Fault = Literal[
    "status", "refused", "no-such-host", "reset", "incomplete", "silent", "garbage", "no-location"
]


@dataclass(frozen=True, slots=True)
class Html:
    """A page that links to `links` (canonical URLs, in document order); `latency_ms` before it answers."""

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
    "garbage" answers something that is not HTTP; "no-location" is a redirect without a Location.
    """

    fault: Fault = "status"
    status: int = 404
    latency_ms: int = 0


Resource = Html | Raw | Moved | Broken


@dataclass(frozen=True, slots=True)
class Site:
    """A static web; `limit` is the redirect budget of a root or link.

    Its hosts and ports are those of `resources` and `roots` (see `places`).  There, a URL that is not in `resources`
    answers 404; a host that is only linked to does not exist, and at a port that is only linked to nobody listens.
    """

    resources: Mapping[str, Resource]
    roots: tuple[str, ...]
    limit: int = 10


def places(site: Site) -> dict[tuple[str, int], bool]:
    """The hosts and ports that exist, in order of appearance, to whether anybody listens there.

    A place does not exist if all its URLs are "no-such-host", and nobody listens if all are "refused".  A root's
    place is served even if the site has nothing there: then what is asked for is a 404.
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
    """What a GET of any canonical URL meets, be it one of `site.resources` or not."""
    resource = site.resources.get(url)
    if resource is not None:
        return resource
    address, listening = split(url), places(site)
    if listening.get((address.host, address.port)):
        return Broken("status", 404)
    return Broken("refused" if any(host == address.host for host, _ in listening) else "no-such-host")
