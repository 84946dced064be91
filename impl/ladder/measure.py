"""Teaching code: one run of a rung, measured; and the reference that its result is compared with.

Theory of operation.  Every page of the site takes the same time, of which the server holds back what the network does
not need.  The reference is the package's own fetcher on the package's own loop; a rung is right when it says the same
of every page.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ..crawl.fetch import Fetcher
from ..crawl.outcome import Outcome
from ..loop import Loop
from ..net import SimulatedNet
from ..sim.choices import Choices
from ..web.hosting import host
from ..web.site import Html, Site
from . import scale
from .rung import Rung
from .world import Meter, Place, World

#: How long one page takes, in milliseconds: from the look-up of the name to the end of the response.
PAGE_MS: Final = 440
#: Of these, what the network takes: the look-up, the connect there and back, the request and the response.
NETWORK_MS: Final = 5

UNITS: Final = 100

#: What waits in these is no object of the program; how its bytes are measured.
OUTSIDE: Final = {
    "processes": scale.process_bytes,
    "threads": scale.thread_bytes,
    "promises": scale.thread_bytes,
}


@dataclass(frozen=True)
class Measured:
    """One run: `seconds` on the world's clock, what it used, and whether its result is the reference's."""

    seconds: float
    meter: Meter
    right: bool


def pages(count: int, page_ms: int = PAGE_MS) -> Site:
    """A site of so many pages, each of which links to the next; a fetch of one takes `page_ms` milliseconds."""
    urls = [f"http://xkcd.test/{number}" for number in range(1, count + 1)]
    following = [*urls[1:], urls[0]]
    latency = page_ms - NETWORK_MS
    return Site({u: Html((v,), latency) for u, v in zip(urls, following, strict=True)}, (urls[0],))


def reference(site: Site, urls: Sequence[str]) -> dict[str, Outcome]:
    """What the package's own fetcher says of these pages."""
    choices = Choices.plain()
    loop = Loop(choices)
    net = SimulatedNet(loop, choices)

    async def program() -> dict[str, Outcome]:
        host(site, net, loop)
        fetch = Fetcher(net, loop)
        try:
            return {url: await fetch(url) for url in urls}
        finally:
            await fetch.aclose()

    return loop.run(program())


def measure(rung: Rung, world: Place, site: Site, urls: Sequence[str]) -> Measured:
    """Run it in a fresh world, which is closed then."""
    try:
        rung.load()
        start = world.time()
        outcomes = rung.run(world, urls)
        return Measured(world.time() - start, world.meter, outcomes == reference(site, urls))
    finally:
        world.close()


def a_world(world: World) -> World:
    """The world, as rungs see it."""
    return world


def waiting_bytes(rung: Rung) -> float | None:
    """How many bytes one of the things takes that wait there; None: nothing does, or the system does not say."""
    if rung.name in OUTSIDE:
        return OUTSIDE[rung.name]()
    return None if rung.unit is None else bytes_of(rung.unit)


def bytes_of(unit: Callable[[], object]) -> int:
    """How many bytes one of the things takes that `unit` makes."""
    unit()  # what is made once for all is made now
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        units = [unit() for _ in range(UNITS)]
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) // len(units)
