"""Teaching code: the measurement of one rung, and the reference result that it is compared with.

All pages of the site take the same time: the server waits for the part that the network does not take.  The
reference is the package's own fetcher on its own loop; a rung is right if it has the same outcome for each page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from heapq import heapreplace
from typing import Final, TypeVar

from ..crawl.fetch import Fetcher
from ..loop import Loop
from ..net import SimulatedNet
from ..sim.choices import Choices
from ..web.outcome import Outcome
from ..web.serving.hosting import host
from ..web.serving.site import Html, Site
from .rung import Rung
from .world.meter import Meter, MeteredWorld

T = TypeVar("T")

#: The duration of one fetch in milliseconds, from the look-up of the name to the end of the response.
PAGE_MS: Final = 440
#: The network's part of it: the look-up, the connect there and back, the request and the response.
NETWORK_MS: Final = 5


@dataclass(frozen=True)
class Measured:
    """One run: `seconds` on the environment's clock, its meter, and whether its result equals the reference."""

    seconds: float
    meter: Meter
    right: bool


def pages(count: int, page_ms: int = PAGE_MS) -> Site:
    """A site of `count` pages that each link to the next; fetching one takes `page_ms` milliseconds."""
    urls = [f"http://xkcd.test/{number}" for number in range(1, count + 1)]
    following = [*urls[1:], urls[0]]
    latency = page_ms - NETWORK_MS
    return Site({u: Html((v,), latency) for u, v in zip(urls, following, strict=True)}, (urls[0],))


def by_the_package(site: Site, program: Callable[[Fetcher], Awaitable[T]]) -> T:
    """The result of a program with the package's own fetcher, on its own loop, where the site is served."""
    choices = Choices.plain()
    loop = Loop(choices)
    net = SimulatedNet(loop, choices)

    async def main() -> T:
        host(site, net, loop)
        fetch = Fetcher(net, loop)
        try:
            return await program(fetch)
        finally:
            await fetch.aclose()

    return loop.run(main())


def reference(site: Site, urls: Sequence[str]) -> dict[str, Outcome]:
    """The outcome of each page by the package's own fetcher."""

    async def program(fetch: Fetcher) -> dict[str, Outcome]:
        return {url: await fetch(url) for url in urls}

    return by_the_package(site, program)


def makespan(latencies: Iterable[int], workers: int) -> int:
    """The end of the last page if each goes to the worker that is free first, in the unit of the latencies.

    That is list scheduling (Graham, 1966).  If only waiting takes time, as in the simulated environment, a pool takes
    exactly that long.  Raises ValueError when there is no worker.
    """
    if workers < 1:
        raise ValueError(f"{workers} workers fetch nothing")
    free = [0] * workers
    for latency in latencies:
        heapreplace(free, free[0] + latency)
    return max(free)


def measure(rung: Rung, world: MeteredWorld, site: Site, urls: Sequence[str]) -> Measured:
    """Run a rung in a fresh environment, and close it."""
    with closing(world):
        rung.load()
        start = world.time()
        outcomes = rung.run(world, urls)
        return Measured(world.time() - start, world.meter, outcomes == reference(site, urls))
