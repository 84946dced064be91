"""The behaviours that the tests of the original crawler check, on every runtime, without regard to order.

The original is the code of the chapter (500 Lines, "A Web Crawler With asyncio Coroutines"); each of its 17
tests is a function of that name here, some of them in several parts.  The original fixes an order of results in
some; what is fetched, once each, is what counts.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.crawl.results.record import Record, canonical
from impl.web.serving.site import Broken, Html, Moved, Raw, Resource, Site

from ...crawls.compare import runtimes
from ...crawls.server import Server
from .requested import Requested

HTML = "text/html; charset=utf-8"
R, A, B, C, FOO, BAR = (f"http://a.test/{name}" for name in ("", "a", "b", "c", "foo", "foo/bar"))

#: A function that crawls resources by a plan and returns the records by URL.
Crawl = Callable[[dict[str, Resource], CrawlConfig], dict[str, Record]]


class Watched(Frontier):
    """A frontier that records the maximal number of fetches in flight at once, and their number."""

    most = 0
    started = 0

    def start(self, url: str) -> None:
        super().start(url)
        self.started += 1
        self.most = max(self.most, len(self.in_flight))


@pytest.fixture(
    params=["impl", "asyncio", "aiohttp", "trio", "impl-real", "asyncio-real", "aiohttp-real", "trio-real"]
)
def pump(request: pytest.FixtureRequest, server: Server) -> Callable[[Site, CrawlConfig, Frontier], None]:
    """Return each runtime as a function that crawls a site by a plan, into a frontier."""
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


def test_link(crawl: Crawl) -> None:
    found = crawl({R: Html((FOO,)), FOO: Html()}, CrawlConfig((R,)))
    assert (sorted(found), found[R].links) == ([R, FOO], (FOO,))


def test_link_cycle(crawl: Crawl) -> None:
    found = crawl({R: Html((FOO,)), FOO: Html((R, FOO))}, CrawlConfig((R,)))
    assert sorted(found) == [R, FOO]


def test_prohibited_host(crawl: Crawl) -> None:
    found = crawl({R: Html(("http://example.com/", FOO)), "http://example.com/": Html()}, CrawlConfig((R,)))
    assert sorted(found) == [R, FOO]
    assert found[R].links == (FOO, "http://example.com/")


HOSTS = ("http://example.com/", "http://www.example.com/", "http://foo.example.com/", "http://example.org/")
LINKED: dict[str, Resource] = dict.fromkeys(HOSTS, Html(HOSTS))


@pytest.mark.parametrize("root", HOSTS[:2])
def test_strict_host(crawl: Crawl, root: str) -> None:
    """A host equals a root's but for "www."."""
    assert sorted(crawl(LINKED, CrawlConfig((root,)))) == sorted(HOSTS[:2])


@pytest.mark.parametrize("root", HOSTS[:3])
def test_lenient_host(crawl: Crawl, root: str) -> None:
    """A host equals a root's in its last two labels."""
    assert sorted(crawl(LINKED, CrawlConfig((root,), strict=False))) == sorted(HOSTS[:3])


def test_exclude(crawl: Crawl) -> None:
    found = crawl({R: Html((FOO, BAR, A)), A: Moved(FOO)}, CrawlConfig((R,), exclude="/fo{2}"))
    assert sorted(found) == [R, A]


def test_roots(crawl: Crawl) -> None:
    found = crawl({A: Html(), B: Html((C,)), C: Html()}, CrawlConfig((A, B)))
    assert sorted(found) == [A, B, C]


def test_deep_root(crawl: Crawl) -> None:
    """A crawl starts at the given URL, not at the root of the host."""
    assert sorted(crawl({R: Html((A,)), BAR: Html((FOO,)), FOO: Html()}, CrawlConfig((BAR,)))) == sorted(
        [FOO, BAR]
    )


def test_redirect(crawl: Crawl) -> None:
    found = crawl({R: Moved(FOO, 301), FOO: Html()}, CrawlConfig((R,)))
    assert (found[R].target, found[R].status, found[R].budget) == (FOO, 301, 10)
    assert (found[FOO].outcome, found[FOO].budget) == ("page", 9)


@pytest.mark.parametrize(("limit", "fetched"), [(0, [A]), (1, [A, B]), (2, [A, B, C])])
def test_redirect_limit(crawl: Crawl, limit: int, fetched: list[str]) -> None:
    """The original logs an error when the limit is reached; here the redirect is a record with budget 0."""
    found = crawl({A: Moved(B), B: Moved(C), C: Html()}, CrawlConfig((A,), max_redirect=limit))
    assert sorted(found) == fetched
    assert found[fetched[-1]].budget == 0


def test_redirect_cycle(crawl: Crawl) -> None:
    found = crawl({R: Moved(FOO), FOO: Moved(R)}, CrawlConfig((R,)))
    assert {url: (row.target, row.budget) for url, row in found.items()} == {R: (FOO, 10), FOO: (R, 9)}


def test_redirect_join(crawl: Crawl) -> None:
    """Two roots redirect to one URL: it is fetched once."""
    resources = Requested({A: Moved(C), B: Moved(C), C: Html()})
    assert sorted(crawl(resources, CrawlConfig((A, B)))) == [A, B, C]
    assert resources.asked[C] == 1


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
    """An answer is not retried, even if it is an error."""
    bad: dict[str, Resource] = {A: Broken("status", 500), B: Broken("garbage"), C: Broken("no-location")}
    resources = Requested({R: Html((A, B, C)), **bad})
    found = crawl(resources, CrawlConfig((R,), max_tries=3))
    assert {url: found[url].error for url in bad} == {A: "status", B: "protocol", C: "location"}
    assert [resources.asked[url] for url in bad] == [1, 1, 1]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8", "\u00e9"), ("iso-8859-1", "\u00e9"), ("windows-1251", "\u043f"), ("shift_jis", "\u9053")],
)
def test_encoding(crawl: Crawl, encoding: str, name: str) -> None:
    """Links are read in the encoding that the page declares."""
    body = f"<a href='/{name}'>".encode(encoding)
    found = crawl({R: Raw(body, f"text/html; charset={encoding}")}, CrawlConfig((R,)))
    assert found[R].links == (R + quote(name),)


def test_unknown_encoding(crawl: Crawl) -> None:
    """The original hangs on it: the worker ends with an error."""
    found = crawl({R: Raw(b"<a href='/foo'>\xff", "text/html; charset=no-such")}, CrawlConfig((R,)))
    assert sorted(found) == [R, FOO]


@pytest.mark.parametrize(
    "content_type", ["text/html", "TEXT/HTML; charset=utf-8", "application/xml", "application/xhtml+xml"]
)
def test_content_type(crawl: Crawl, content_type: str) -> None:
    """A body with an HTML type, in any spelling, is searched for links."""
    found = crawl({R: Raw(b"<a href='/foo'>foo</a>", content_type)}, CrawlConfig((R,)))
    assert sorted(found) == [R, FOO]
    assert found[R].content_type == content_type


def test_non_html(crawl: Crawl) -> None:
    found = crawl({R: Raw(b"<a href='/foo'>foo</a>", "text/plain")}, CrawlConfig((R,)))
    assert [(row.outcome, row.links, row.size) for row in found.values()] == [("page", (), 22)]


def test_non_http(crawl: Crawl) -> None:
    body = b"<a href='ftp://a.test/x'>f</a><a href='mailto:a@a.test'>m</a><a href='javascript:x()'>j</a>"
    found = crawl({R: Raw(body, HTML), FOO: Html()}, CrawlConfig((R,)))
    assert [row.links for row in found.values()] == [()]
