"""What the tests of the ladder's crawlers share: sites of a few pages, and crawls of them by a rung."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from impl.crawl.crawler import Plan
from impl.crawl.frontier import Frontier, everything
from impl.crawl.outcome import Outcome
from impl.crawl.record import Record, canonical, comparable, record
from impl.ladder import chapter, native
from impl.ladder.chapter import Crawler, FirstDiscovery
from impl.ladder.running import EventLoop
from impl.ladder.simulated import SimulatedWorld
from impl.net import Weather
from impl.sim.choices import Choices
from impl.web.site import Resource, Site

from ..crawls import impl_arm

RUNGS = [chapter, native]
rungs = pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.__name__.rpartition(".")[2])

R, A, B, C, D = (f"http://a.test/{name}" for name in ("", "a", "b", "c", "d"))


class Served(dict[str, Resource]):
    """Resources that note every request for them."""

    def __init__(self, resources: dict[str, Resource]) -> None:
        super().__init__(resources)
        self.asked: list[str] = []

    def get(self, url: str, default: Any = None) -> Any:  # Any: as dict's
        self.asked.append(url)
        return super().get(url, default)


def crawled(
    rung: ModuleType, resources: dict[str, Resource], *roots: str, **limits: Any
) -> tuple[dict[str, Outcome], list[str]]:
    """What a rung makes of these resources from the roots (R), and the requests in their order."""
    served = Served(resources)
    world = SimulatedWorld(Site(served, roots or (R,)))
    served.asked.clear()
    try:
        found = rung.crawl(world, roots or (R,), **limits)
        assert world.socket.busy == 0
        return found, served.asked
    finally:
        world.close()


def rows(outcomes: dict[str, Outcome]) -> list[Record]:
    """What a site determines of the outcomes, sorted by URL."""
    return [comparable(record(url, outcome, 0)) for url, outcome in sorted(outcomes.items())]


def reference(site: Site, allows: Callable[[str], bool] = everything) -> list[Record]:
    """What the package's crawler makes of the site."""
    frontier = Frontier(site.limit, allows)
    impl_arm.crawl(site, Plan(site.roots, max_redirect=site.limit), frontier, 0)
    return [replace(row, budget=0) for row in canonical(frontier)]


@contextmanager
def looping(
    site: Site, choices: Choices | None = None, weather: Weather | None = None
) -> Iterator[EventLoop]:
    """A loop of the ladder in a world with that site."""
    world = SimulatedWorld(site, choices, weather)
    loop = EventLoop(world)
    try:
        yield loop
    finally:
        loop.close()
        world.close()


def by(rung: ModuleType, site: Site, seed: int = 0) -> FirstDiscovery:
    """What a rung finds of the whole site, whatever the host, in some weather."""
    with looping(site, Choices.seeded(seed), Weather(latency_ms_max=1 + seed % 10, segments_max=3)) as loop:
        crawler = rung.Crawler(loop, site.roots, site.limit, allows=everything)
        crawl = crawler.crawl()
        loop.run_until_complete(crawl if rung is chapter else native.steps(crawl))
    found: FirstDiscovery = crawler.found
    return found


def crawled_by(kind: type[Crawler], resources: dict[str, Resource]) -> list[str]:
    """What a crawler of rung 16, or one derived from it, fetches from R, in order."""
    with looping(Site(resources, (R,))) as loop:
        crawler = kind(loop, [R])
        loop.run_until_complete(crawler.crawl())
    return list(crawler.found.done)
