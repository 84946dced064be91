"""Teaching code: one site, two schedules, two results: the chapter's rule of first discovery (defect S1).

r links to a and b, a links to c; b redirects to c, and c to d; one redirect may be followed.  If c is found by the
link, one redirect is left, and d is fetched; if it is found by the redirect of b, none is left.  The faster of a and b
decides.  The reference crawls the same two sites and finds all five pages in both.

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), whose crawler has the defect; the text does not mention it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import Final

from ..crawl.crawler import CrawlConfig, Crawler
from ..crawl.fetch import Fetcher
from ..web.outcome import Outcome
from ..web.serving.site import Html, Moved, Resource, Site
from .measure import by_the_package
from .rungs import chapter
from .world.simulation import SimulatedWorld

NAMES: Final = "rabcd"
FAST_MS: Final = 10
SLOW_MS: Final = 200


def site(slow: str) -> Site:
    """The site, with the page "a" or "b" slow."""
    urls = {name: f"http://xkcd.test/{name}" for name in NAMES}
    latency = {name: SLOW_MS if name == slow else FAST_MS for name in urls}
    resources: dict[str, Resource] = {
        urls["r"]: Html((urls["a"], urls["b"])),
        urls["a"]: Html((urls["c"],), latency["a"]),
        urls["b"]: Moved(urls["c"], latency_ms=latency["b"]),
        urls["c"]: Moved(urls["d"]),
        urls["d"]: Html(),
    }
    return Site(resources, (urls["r"],), limit=1)


def by_the_chapter(site: Site) -> dict[str, Outcome]:
    """The outcomes of the chapter's crawler."""
    with closing(SimulatedWorld(site)) as world:
        return chapter.crawl(world, site.roots, site.limit)


def by_the_reference(site: Site) -> dict[str, Outcome]:
    """The outcomes of the package's own crawler."""

    async def program(fetch: Fetcher) -> dict[str, Outcome]:
        crawler = Crawler(CrawlConfig(site.roots, max_redirect=site.limit), fetch)
        await crawler.crawl()
        return crawler.frontier.outcomes

    return by_the_package(site, program)


def names(urls: Iterable[str]) -> str:
    """The names of the pages, in the order of NAMES."""
    found = {url.rpartition("/")[2] for url in urls}
    return " ".join(name for name in NAMES if name in found)


def two_schedules() -> list[str]:
    """The two results of the rule and the result of the reference, as lines of text."""
    lines = [
        "First discovery: r links to a and b, a links to c, b redirects to c, c to d; one redirect may be followed.",
    ]
    for slow in "ba":
        rule, reference = by_the_chapter(site(slow)), by_the_reference(site(slow))
        lines.append(f"  {slow} is slow: the chapter fetches {names(rule):<9}  the reference {names(reference)}")
    return lines
