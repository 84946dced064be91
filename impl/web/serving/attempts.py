"""The attempts at the URLs of a site with faults: the fault of the next one, and the faults that have struck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from .site import AttemptFault, Resource, Site, Struck


class Attempts(Mapping[str, Resource]):
    """The resources of `site` as the next attempt at each URL meets them; `made` records an attempt.

    The number of attempts at a URL is the only state, so the fault of an attempt is a function of the URL and of its
    number: the same on every network and under every schedule, except where timing decides (CRAWL-22).
    """

    def __init__(self, site: Site) -> None:
        self.struck: Counter[AttemptFault] = Counter()
        self._site = site
        self._made: Counter[str] = Counter()

    def made(self, url: str) -> None:
        """Record an attempt at `url`."""
        fault = self._next(url)
        if fault is not None:
            self.struck[fault] += 1
        self._made[url] += 1

    def site(self) -> Site:
        """The site to serve."""
        return replace(self._site, resources=self)

    def _next(self, url: str) -> AttemptFault | None:
        faults = self._site.faults.get(url, ())
        made = self._made[url]
        return faults[made] if made < len(faults) else None

    def __getitem__(self, url: str) -> Resource:
        resource, fault = self._site.resources[url], self._next(url)
        return resource if fault is None else Struck(fault, resource)

    def __iter__(self) -> Iterator[str]:
        return iter(self._site.resources)

    def __len__(self) -> int:
        return len(self._site.resources)


def served(site: Site) -> Site:
    """The site to serve: one that counts its attempts, if it has faults."""
    return Attempts(site).site() if site.faults and not isinstance(site.resources, Attempts) else site
