"""A whole simulated crawl: site, network, servers and crawler on one loop, recorded, and its token.

Theory of operation.  A run is (recipe, choices): the recipe holds the few numbers that the user gave, the choices
come from its seed.  So the recipe *is* the run, and a token is the recipe, with two digests beside it: of the
widths of all choice points, which says whether the program is still the one that made the token, and of the
directory that was crawled, if it was one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..loop import Loop
from ..net import SimulatedNet, Weather
from ..sim.choices import Choices
from ..sim.order import Order
from ..sim.token import Packer, TokenError, Unpacker
from ..sim.trace import Recorder
from ..web.directory import ORIGIN, Directory
from ..web.generated import generate
from ..web.hosting import host
from ..web.outcome import Outcome
from ..web.site import Site
from .crawler import Crawler, Plan
from .fetch import Fetcher

PREFIX = "ls1-"
#: What is printed and kept of a digest in a token, in bytes.
_DIGEST_BYTES = 6
_ORDERS: tuple[Order, ...] = ("fifo", "any")

#: What the numbers of a recipe may be at most.
SEED_MAX = 2**64 - 1
PAGES_MAX = 100_000
LATENCY_MS_MAX = 60_000

#: Told of each URL as it is done: virtual seconds, URL, outcome.
Progress = Callable[[float, str, Outcome], object]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What makes a run: `site_digest` is empty for a generated web (of `pages` pages), else the directory's."""

    seed: int = 0
    pages: int = 40
    order: Order = "fifo"
    latency_ms_max: int = 20
    site_digest: bytes = b""

    def token(self, widths: bytes) -> str:
        """The token of a run of this recipe whose choice points have the digest `widths`."""
        packer = Packer().number(self.seed).number(self.pages)
        packer.number(_ORDERS.index(self.order)).number(self.latency_ms_max)
        packer.number(1 if self.site_digest else 0).raw(self.site_digest[:_DIGEST_BYTES])
        return packer.raw(widths[:_DIGEST_BYTES]).token(PREFIX)

    @classmethod
    def of_token(cls, token: str) -> tuple[Recipe, bytes]:
        """The recipe of a token, and (the beginning of) the digest of its choice points.

        Raises:
            TokenError: it is malformed.
        """
        unpacker = Unpacker(token, PREFIX)
        seed, pages = unpacker.number(SEED_MAX), unpacker.number(PAGES_MAX)
        order, latency = unpacker.number(len(_ORDERS) - 1), unpacker.number(LATENCY_MS_MAX)
        digest = unpacker.raw(_DIGEST_BYTES) if unpacker.number(1) else b""
        widths = unpacker.raw(_DIGEST_BYTES)
        unpacker.end()
        recipe = cls(seed, pages, _ORDERS[order], latency, digest)
        if pages < 1 or recipe.token(widths) != token:
            raise TokenError(f"no run has this token: {token!r}")
        return recipe, widths


@dataclass(frozen=True, slots=True)
class Simulated:
    """A finished run."""

    crawler: Crawler
    elapsed_ns: int  # virtual
    events: int
    digest: str  # of the trace
    widths: bytes  # digest of the widths of the choice points


def simulate(
    recipe: Recipe, directory: Directory | None = None, progress: Progress | None = None
) -> Simulated:
    """Run a recipe; a `directory` takes the place of the generated web."""
    choices = Choices.seeded(recipe.seed)
    if directory is None:
        site = generate(choices.program, recipe.pages, recipe.latency_ms_max)
    else:
        site = Site(directory, (f"{ORIGIN}/",))
    recorder = Recorder(keep=False)
    loop = Loop(choices, recipe.order, recorder, late_ms_max=1)
    weather = Weather(latency_ms_max=max(1, recipe.latency_ms_max), segments_max=3, buffer_bytes=16384)
    net = SimulatedNet(loop, choices, weather)
    plan = Plan(site.roots, strict=False, max_redirect=site.limit)

    def tell(url: str, outcome: Outcome) -> None:
        if progress is not None:
            progress(loop.time(), url, outcome)

    fetcher = Fetcher(net, loop)
    crawler = Crawler(plan, fetcher, tell)
    elapsed_ns = loop.run(_program(site, net, loop, fetcher, crawler))
    return Simulated(crawler, elapsed_ns, recorder.count, recorder.digest(), choices.digest())


async def _program(site: Site, net: SimulatedNet, loop: Loop, fetcher: Fetcher, crawler: Crawler) -> int:
    host(site, net, loop)
    try:
        await crawler.crawl()
        return loop.now
    finally:
        await fetcher.aclose()
