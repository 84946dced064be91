"""A whole simulated crawl: site, network, servers, crawler on one loop, with trace and token (runners/simulate.py).

A crawl in shards is several of them, one for each batch: `SimulatedShard`.

The parameters of the run are the few numbers of the user, and a digest of the crawled directory, if there was one.  So
the token alone repeats the crawl of a generated web.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..loop import Loop
from ..net import NetworkConditions, SimulatedNet
from ..runners.simulate import Run, finished
from ..sim.choices import Choices
from ..sim.end import End
from ..sim.order import ORDERS, Order
from ..sim.recipe import DIGEST_BYTES, Recipe
from ..sim.token import Packer, TokenError, Unpacker
from ..sim.trace import Recorder
from ..web.outcome import Outcome
from ..web.serving.directory import ORIGIN, Directory
from ..web.serving.generated_web import generate
from ..web.serving.hosting import host
from ..web.serving.site import Site
from .crawler import CrawlConfig, Crawler
from .fetch import Fetcher
from .frontier import Frontier
from .shards import Fetched, ShardNotes

KIND: Final = "ls"

#: The greatest values of the parameters.
PAGES_MAX: Final = 1_000_000
LATENCY_MS_MAX: Final = 60_000

#: Called with each URL when it is done: virtual seconds, URL, outcome.
Progress: TypeAlias = Callable[[float, str, Outcome], object]


@dataclass(frozen=True, slots=True)
class Crawl:
    """The parameters of a run: `site_digest` is empty for a generated web (of `pages` pages), else the directory's."""

    pages: int = 40
    order: Order = "fifo"
    latency_ms_max: int = 20
    site_digest: bytes = b""

    def pack(self, packer: Packer) -> None:
        packer.number(self.pages).number(ORDERS.index(self.order)).number(self.latency_ms_max)
        packer.number(1 if self.site_digest else 0).raw(self.site_digest[:DIGEST_BYTES])

    def unpack(self, unpacker: Unpacker) -> Crawl:
        pages, order = unpacker.number(PAGES_MAX), unpacker.number(len(ORDERS) - 1)
        latency = unpacker.number(LATENCY_MS_MAX)
        digest = unpacker.raw(DIGEST_BYTES) if unpacker.number(1) else b""
        if pages < 1:
            raise TokenError("no run has this token: it crawls 0 pages")
        return Crawl(pages, ORDERS[order], latency, digest)


def simulate(
    recipe: Recipe[Crawl],
    directory: Directory | None = None,
    progress: Progress | None = None,
    trace: bool = False,
    frontier: Frontier | None = None,
) -> Run[Crawler]:
    """Run a recipe.

    Parameters:
        directory: crawled instead of the generated web.
        progress: called for each URL.
        trace: whether to keep the events.
        frontier: as for Crawler.
    """
    choices, crawl = recipe.choices(), recipe.parameters
    site = _site(crawl, choices, directory)
    recorder = Recorder(keep=trace)
    loop = Loop(choices, crawl.order, recorder, late_ms_max=1)
    conditions = NetworkConditions(latency_ms_max=max(1, crawl.latency_ms_max), segments_max=3, buffer_bytes=16384)
    net = SimulatedNet(loop, choices, conditions)

    def tell(url: str, outcome: Outcome) -> None:
        if progress is not None:
            progress(loop.time(), url, outcome)

    fetcher = Fetcher(net, loop)
    crawler = Crawler(_plan(site), fetcher, tell, frontier)
    elapsed_ns = loop.run(serve_and_crawl(site, net, loop, fetcher, crawler))
    return finished(recipe, choices, End(crawler, None, elapsed_ns), recorder, recorder)


def plan(recipe: Recipe[Crawl], directory: Directory | None = None) -> CrawlConfig:
    """The plan of the crawl that `simulate` runs."""
    return _plan(_site(recipe.parameters, recipe.choices(), directory))


@dataclass(frozen=True, slots=True)
class SimulatedShard:
    """Crawls batches, each on a simulated network of its own, under the choices of the recipe: a `Pump`."""

    recipe: Recipe[Crawl]
    directory: Directory | None = None

    def __call__(self, config: CrawlConfig, frontier: Frontier, notes: ShardNotes) -> Fetched:
        run = simulate(self.recipe, self.directory, frontier=frontier)
        return Fetched(run.outcome().records(), elapsed_ns=run.elapsed_ns)


def _site(crawl: Crawl, choices: Choices, directory: Directory | None) -> Site:
    if directory is None:
        return generate(choices.program, crawl.pages, crawl.latency_ms_max)
    return Site(directory, (f"{ORIGIN}/",))


def _plan(site: Site) -> CrawlConfig:
    return CrawlConfig(site.roots, strict=False, max_redirect=site.limit)


async def serve_and_crawl(site: Site, net: SimulatedNet, loop: Loop, fetcher: Fetcher, crawler: Crawler) -> int:
    """Serve `site` on `net`, and crawl it; return the time of the end, in nanoseconds."""
    host(site, net, loop)
    try:
        await crawler.crawl()
        return loop.now
    finally:
        await fetcher.aclose()
