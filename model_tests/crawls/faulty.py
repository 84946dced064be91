"""Faults for random sites: which attempts at which URLs they strike; and smaller ones, for the shrinker.

Each site draws which kinds of faults it has (swarm testing: Groce and others, ISSTA 2012), because the rare kinds are
hidden where all are possible.  Faults that wait for a time limit are in one site of six: on real sockets they cost
real time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from impl.web.serving.faults import FAULTS, TIMED
from impl.web.serving.site import AttemptFault, Broken, Site

Choose = Callable[[int], int]

_QUICK: Final = tuple(fault for fault in FAULTS if fault not in TIMED)
_SLOW: Final = tuple(fault for fault in FAULTS if fault in TIMED)
_ATTEMPTS_MAX: Final = 3


def with_faults(choose: Choose, site: Site) -> Site:
    """Draw faults for the attempts at half of the URLs that are served; 0 is no fault."""
    kinds = [fault for fault in _QUICK if choose(2)]
    if choose(6) == 1:
        kinds += [fault for fault in _SLOW if choose(2)]
    faults: dict[str, tuple[AttemptFault | None, ...]] = {}
    for url, resource in site.resources.items():
        served = not (isinstance(resource, Broken) and resource.fault != "status")
        if served and kinds and choose(2):
            count = 1 + choose(_ATTEMPTS_MAX)
            faults[url] = tuple((None, *kinds)[choose(1 + len(kinds))] for _ in range(count))
    return pruned(replace(site, faults=faults))


def pruned(site: Site) -> Site:
    """Return the site without faults of URLs that it does not have, and without None at the end."""
    kept = {}
    for url, faults in site.faults.items():
        while faults and faults[-1] is None:
            faults = faults[:-1]
        if faults and url in site.resources:
            kept[url] = faults
    return site if kept == site.faults else replace(site, faults=kept)


def weight(site: Site) -> int:
    """Return the measure that `fewer` decreases: a fault counts more than its place."""
    return sum(1 if fault is None else 2 for faults in site.faults.values() for fault in faults)


def fewer(site: Site) -> Iterator[Site]:
    """Yield the site with fewer faults."""
    if site.faults:
        yield replace(site, faults={})
    for url, faults in site.faults.items():
        for i in range(len(faults)):
            for shorter in (faults[:i] + faults[i + 1 :], (*faults[:i], None, *faults[i + 1 :])):
                yield replace(site, faults={**site.faults, url: shorter})
