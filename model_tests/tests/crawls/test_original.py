"""The behaviours that the tests of the original crawler check, on every runtime, without regard to order.

The original is the code of the chapter (500 Lines, "A Web Crawler With asyncio Coroutines"); each of its 17
tests is a row or a function of that name here, some in several parts.  The original fixes an order of results in
some; only the set of pages, each fetched once, counts.
"""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, canonical
from impl.web.serving.site import Broken, Html, Moved, Raw, Resource, Site

from ...crawls.compare import runtimes
from ...crawls.server import Server
from .resources import Requested

R, A, B, C, FOO, BAR = (f"http://a.test/{name}" for name in ("", "a", "b", "c", "foo", "foo/bar"))

#: A function that crawls resources by a plan and returns the records by URL.
Crawl = Callable[[dict[str, Resource], CrawlConfig], dict[str, Record]]


class Watched(Frontier):
    most = 0
    started = 0

    def start(self, url: str) -> None:
        super().start(url)
        self.started += 1
        self.most = max(self.most, len(self.in_flight))


@pytest.fixture(params=[f"{name}{real}" for name in ["impl", "asyncio", "aiohttp", "trio"] for real in ("", "-real")])
def pump(request: pytest.FixtureRequest, server: Server) -> Callable[[Site, CrawlConfig, Frontier], None]:
    runtime = next(each for each in runtimes(server) if each.name == request.param)
    return lambda site, plan, frontier: runtime.crawl(site, plan, frontier, 0)


@pytest.fixture
def crawl(pump: Callable[[Site, CrawlConfig, Frontier], None]) -> Crawl:
    def crawled(resources: dict[str, Resource], plan: CrawlConfig) -> dict[str, Record]:
        frontier = Watched(plan.max_redirect, plan.scope().allows)
        pump(Site(resources, plan.roots, plan.max_redirect), plan, frontier)
        found = {row.url: row for row in canonical(frontier)}
        assert frontier.started == len(found)  # each URL is fetched once
        return found

    return crawled


def from_root(**options: Any) -> CrawlConfig:  # Any: the options of a plan
    return CrawlConfig((R,), **options)


OTHER = "http://example.com/"
#: The last one equals the others in nothing.
HOSTS = (OTHER, "http://www.example.com/", "http://foo.example.com/", "http://example.org/")
LINKED: dict[str, Resource] = dict.fromkeys(HOSTS, Html(HOSTS))
TO_FOO = b"<a href='/foo'>foo</a>"
NO_LINKS = b"<a href='ftp://a.test/x'>f</a><a href='mailto:a@a.test'>m</a><a href='javascript:x()'>j</a>"
CHAIN: dict[str, Resource] = {A: Moved(B), B: Moved(C), C: Html()}
ENCODED = {"utf-8": "\u00e9", "iso-8859-1": "\u00e9", "windows-1251": "\u043f", "shift_jis": "\u9053"}
HTML_TYPES = ("text/html", "TEXT/HTML; charset=utf-8", "application/xml", "application/xhtml+xml")


def encoded(encoding: str) -> Raw:
    return Raw(f"<a href='/{ENCODED[encoding]}'>".encode(encoding), f"text/html; charset={encoding}")


#: Resources, a plan, and the URLs that are fetched.
CRAWLS: dict[str, tuple[dict[str, Resource], CrawlConfig, Sequence[str]]] = {
    "link": ({R: Html((FOO,)), FOO: Html()}, from_root(), (R, FOO)),
    "link_cycle": ({R: Html((FOO,)), FOO: Html((R, FOO))}, from_root(), (R, FOO)),
    "prohibited_host": ({R: Html((OTHER, FOO)), OTHER: Html()}, from_root(), (R, FOO)),
    # A host equals a root's but for "www.", or in its last two labels.
    **{f"strict_host, {n}": (LINKED, CrawlConfig((HOSTS[n],)), HOSTS[:2]) for n in range(2)},
    **{f"lenient_host, {n}": (LINKED, CrawlConfig((HOSTS[n],), strict=False), HOSTS[:3]) for n in range(3)},
    "exclude": ({R: Html((FOO, BAR, A)), A: Moved(FOO)}, from_root(exclude="/fo{2}"), (R, A)),
    "roots": ({A: Html(), B: Html((C,)), C: Html()}, CrawlConfig((A, B)), (A, B, C)),
    # A crawl starts at the given URL, not at the root of the host.
    "deep_root": ({R: Html((A,)), BAR: Html((FOO,)), FOO: Html()}, CrawlConfig((BAR,)), (FOO, BAR)),
    "redirect": ({R: Moved(FOO, 301), FOO: Html()}, from_root(), (R, FOO)),
    # The original logs an error when the limit is reached; here the redirect is a record with budget 0.
    **{f"redirect_limit, {n}": (CHAIN, CrawlConfig((A,), max_redirect=n), (A, B, C)[: n + 1]) for n in range(3)},
    "redirect_cycle": ({R: Moved(FOO), FOO: Moved(R)}, from_root(), (R, FOO)),
    "redirect_join": ({A: Moved(C), B: Moved(C), C: Html()}, CrawlConfig((A, B)), (A, B, C)),
    # Links are read in the encoding that the page declares; the original hangs on an unknown one.
    **{f"encoding, {n}": ({R: encoded(n)}, from_root(), (R, R + quote(ENCODED[n]))) for n in ENCODED},
    "encoding, none": ({R: Raw(TO_FOO + b"\xff", "text/html; charset=no-such")}, from_root(), (R, FOO)),
    **{f"content_type, {n}": ({R: Raw(TO_FOO, n)}, from_root(), (R, FOO)) for n in HTML_TYPES},
    "non_html": ({R: Raw(TO_FOO, "text/plain")}, from_root(), (R,)),
    "non_http": ({R: Raw(NO_LINKS, "text/html; charset=utf-8"), FOO: Html()}, from_root(), (R,)),
}


@pytest.mark.parametrize(("resources", "plan", "fetched"), CRAWLS.values(), ids=CRAWLS)
def test_what_is_fetched(
    crawl: Crawl, resources: dict[str, Resource], plan: CrawlConfig, fetched: Sequence[str]
) -> None:
    asked = Requested(resources)
    found = crawl(asked, plan)
    assert sorted(found) == sorted(fetched)
    assert all(asked.asked[url] == 1 for url in fetched if url not in plan.roots)


@pytest.mark.parametrize("max_tasks", [1, 2, 5])
def test_max_tasks(pump: Callable[[Site, CrawlConfig, Frontier], None], max_tasks: int) -> None:
    """With enough to do, exactly so many fetches are in flight at the busiest moment."""
    links = tuple(f"http://a.test/{i}" for i in range(20))
    frontier = Watched(10)
    pump(Site({R: Html(links)}, (R,)), CrawlConfig((R,), max_tasks=max_tasks), frontier)
    assert (frontier.most, frontier.started) == (max_tasks, 21)


@pytest.mark.parametrize("failing", range(5))
def test_max_tries(crawl: Crawl, failing: int) -> None:
    """A URL that fails so many times is requested once more, but at most three times in all."""
    resources = Requested({R: Html((FOO,)), FOO: Html()}, {FOO: failing})
    found = crawl(resources, CrawlConfig((R,), max_tries=3))
    assert resources.asked[FOO] == min(failing + 1, 3)
    assert found[FOO].outcome == ("page" if failing < 3 else "error")


def test_max_tries_is_for_what_may_pass(crawl: Crawl) -> None:
    bad: dict[str, Resource] = {A: Broken("status", 500), B: Broken("garbage"), C: Broken("no-location")}
    resources = Requested({R: Html((A, B, C)), **bad})
    found = crawl(resources, CrawlConfig((R,), max_tries=3))
    assert {url: found[url].error for url in bad} == {A: "status", B: "protocol", C: "location"}
    assert [resources.asked[url] for url in bad] == [1, 1, 1]
