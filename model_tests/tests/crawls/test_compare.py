"""The runtimes agree on every kind of site, and a wrong frontier is caught and made small."""

import gc
import socket
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, canonical
from impl.web.http import LIMITS
from impl.web.serving.site import Broken, Fault, Html, Moved, Raw, Site

from ...crawls import aiohttp_runtime, asyncio_runtime, impl_runtime, trio_runtime
from ...crawls.compare import IMPL, SIMULATED, drawn, runtimes
from ...crawls.comparison import (
    Allows,
    CrawlRuntime,
    DifferenceKind,
    ResultDifference,
    differences,
    plan,
    scope,
    smallest,
)
from ...crawls.oracle import oracle
from ...crawls.server import Server
from ...crawls.show import records_that_differ
from ...crawls.sites import urls_of
from ...implementations.all_mutants import BY_NAME
from ...implementations.checks import comparison
from ...implementations.detection import Found
from ...implementations.mutant import Mutant
from ..implementations.caught_by import caught_by

R, A, B, C, D = (f"http://a.test/{name}" for name in ("", "a", "b", "c", "d"))
REAL = ("impl-real", "asyncio-real", "aiohttp-real", "trio-real")
ARMS = (*(runtime.name for runtime in SIMULATED), *REAL)

#: Conditions with one worker, every host in scope, and FIFO order: the order of fetches is known, on real networks
#: too.
ONE_WORKER = 8
FIRST_DISCOVERY_WINS = BY_NAME["FrontierFirstDiscoveryWins"].wrong

# The smallest sites on which the first discovery of c must not fix its budget; the order that shows it is first.
ONE_ROOT = Site({R: Html((B, A)), A: Html((C,)), B: Moved(C), C: Moved(D), D: Html()}, (R,), 1)
TWO_ROOTS = Site({A: Html((C,)), B: Moved(C), C: Moved(D), D: Html()}, (B, A), 1)


@pytest.fixture(params=ARMS)
def runtime(request: pytest.FixtureRequest, server: Server) -> CrawlRuntime:
    return next(each for each in runtimes(server) if each.name == request.param)


def crawled(runtime: CrawlRuntime, site: Site, number: int = 0) -> dict[str, Record]:
    """Return the runtime's records by URL; they must equal the oracle's, under these and the next conditions."""
    made = []

    def kept(limit: int, allows: Allows) -> Frontier:
        made.append(Frontier(limit, allows))
        return made[-1]

    assert list(differences(site, runtime, (number, number + 1), kept)) == []
    return {row.url: row for row in canonical(made[0])}


def test_the_sites_of_every_check_meet_every_fault() -> None:
    """Each fault occurs more than once in the first sixty, where the crawl reaches it."""
    rows = [row for site in map(drawn, range(60)) for row in oracle(site, scope(site, 0))]
    met = Counter(row.error for row in rows if row.error is not None)
    assert set(met) == {error for _, error, _ in FAULTS}
    assert min(met.values()) >= 2


FAULTS: list[tuple[Fault, str, int | None]] = [
    *(("status", "status", 503), ("refused", "refused", None), ("no-such-host", "no-such-host", None)),
    *(("reset", "reset", None), ("incomplete", "incomplete", None), ("garbage", "protocol", None)),
    ("no-location", "location", 302),
]


@pytest.mark.parametrize(("fault", "error", "status"), FAULTS, ids=[fault for fault, _, _ in FAULTS])
def test_every_fault_is_a_record(runtime: CrawlRuntime, fault: Fault, error: str, status: int | None) -> None:
    """By a link and by a redirect; the rest of the site is still crawled."""
    bad = "http://bad.test/"
    site = Site({R: Html((A, bad, B)), A: Html((C,)), B: Moved(bad), bad: Broken(fault, 503)}, (R,), 1)
    found = crawled(runtime, site)
    seen = runtime.error_aliases.get(error, error)
    assert (found[bad].outcome, found[bad].error, found[bad].status) == ("error", seen, status)
    assert sorted(found) == sorted([R, A, B, C, bad])


def test_silence_and_long_headers_on_real_sockets(server: Server) -> None:
    site = Site({R: Broken("silent")}, (R,), 0)
    for crawl in (impl_runtime.crawl, asyncio_runtime.crawl, aiohttp_runtime.crawl, trio_runtime.crawl):
        frontier = Frontier(0)
        crawl(CrawlConfig((R,), max_redirect=0, max_tries=2), frontier, server.dial(site), timeout_s=0.01)
        assert [row.error for row in canonical(frontier)] == ["timeout"]
    site = Site({R: Html((A,)), A: Raw(b"", "text/plain; x=" + "x" * LIMITS.header_bytes)}, (R,))
    for each in runtimes(server):
        frontier = Frontier(10)
        each.crawl(site, plan(site, 0), frontier, 0)
        expected = [None, each.error_aliases.get("too-large", "too-large")]
        assert [row.error for row in canonical(frontier)] == expected


@pytest.mark.parametrize("runtime", SIMULATED, ids=lambda runtime: runtime.name)
def test_silence_is_a_timeout_in_virtual_time(runtime: CrawlRuntime) -> None:
    assert crawled(runtime, Site({R: Broken("silent"), A: Html()}, (R, A), 0))[R].error == "timeout"


def test_documents_as_people_write_them(runtime: CrawlRuntime) -> None:
    page = b"<base href=/x/><a href=../y?a=1&amp;b=2#f>y</a><!-- <a href=/no> --><A HREF=' z '>z</A>"
    site = Site(
        {
            R: Raw(page, "text/html; charset=iso-8859-1"),
            "http://a.test/y?a=1&b=2": Raw(b"<a href='/no'>", "text/plain"),
            "http://a.test/x/z": Raw(b"\x00" * 300_000, "image/png"),
        },
        (R,),
    )
    found = crawled(runtime, site)
    expected = {R: len(page), "http://a.test/y?a=1&b=2": 14, "http://a.test/x/z": 300_000}
    assert {url: row.size for url, row in found.items()} == expected


def test_dead_roots_and_ports(runtime: CrawlRuntime) -> None:
    dead = "http://gone.test/"
    site = Site({A: Html((C,)), B: Moved(A), dead: Broken("no-such-host")}, (A, B, dead), 2)
    assert {url: row.budget for url, row in crawled(runtime, site).items()} == {A: 2, B: 2, C: 2, dead: 2}
    other = "http://a.test:8080/"
    site = Site({R: Html((other,)), other: Broken("refused")}, (R,), 1)
    assert crawled(runtime, site)[other].error == "refused"


def test_scope_holds_for_links_redirects_and_roots(runtime: CrawlRuntime) -> None:
    """Under odd conditions, only the hosts of the roots are in scope: for links and redirects alike."""
    out, far = "http://b.test/", "http://b.test/far"
    site = Site({R: Html((out, A, B)), A: Moved(far), B: Html(), out: Html((R,)), far: Html()}, (R,), 3)
    assert sorted(crawled(runtime, site, 0)) == sorted([R, A, B, out, far])
    assert sorted(crawled(runtime, site, 1)) == sorted([R, A, B])
    frontier = Frontier(1, lambda url: False)
    site = Site({R: Html()}, (R,), 1)
    runtime.crawl(site, plan(site, 0), frontier, 0)
    assert canonical(frontier) == []


def test_no_resolver_is_ever_asked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def guarded(host: str, *more: Any, **named: Any) -> Any:  # Any: as of the original
        flags = named.get("flags") or more[4]
        assert host == "127.0.0.1" or flags & socket.AI_NUMERICHOST
        return real(host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", guarded)
    site = Site({R: Html(("http://gone.test/",)), "http://gone.test/": Broken("no-such-host")}, (R,))
    for each in runtimes(server):
        assert list(differences(site, each, (0,))) == []


@pytest.mark.parametrize("site", [ONE_ROOT, TWO_ROOTS], ids=["one root", "two roots"])
def test_every_arm_catches_the_first_discovery_rule(runtime: CrawlRuntime, site: Site) -> None:
    [found] = differences(site, runtime, (ONE_WORKER,), FIRST_DISCOVERY_WINS)
    assert found.kind() is DifferenceKind.FETCHED
    assert {row.url for row in found.expected} - {row.url for row in found.found} == {D}


@caught_by("comparison", "Frontier", "Crawler")
def test_random_sites_catch_mutants(mutant: Mutant, found: Found, caplog: pytest.LogCaptureFixture) -> None:
    assert comparison.again(mutant, found)
    gc.collect()
    caplog.clear()  # the loop reports workers that end with an error


@pytest.mark.parametrize(("roots", "urls"), [(1, 5), (2, 4)])
@pytest.mark.long("the crawler's own shrink; test_frontier.py shrinks without a crawl")
def test_the_smallest_site_of_the_first_discovery_rule(roots: int, urls: int) -> None:
    runtime = replace(IMPL, shrink_attempts=8)
    lost = (found for site in map(drawn, range(100)) if len(site.roots) == roots for found in losses(site, runtime))
    least = smallest(next(lost), FIRST_DISCOVERY_WINS)
    assert (len(urls_of(least.site)), len(least.site.roots), least.site.limit) == (urls, roots, 1)
    assert least.kind() is DifferenceKind.FETCHED


def losses(site: Site, runtime: CrawlRuntime) -> Iterator[ResultDifference]:
    found = differences(site, runtime, range(runtime.conditions), FIRST_DISCOVERY_WINS)
    return (difference for difference in found if difference.kind() is DifferenceKind.FETCHED)


def test_an_arm_that_raises_differs(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that fails ends the crawl with its error, on every runtime: no task waits for ever."""

    class Raising(Frontier):
        def start(self, url: str) -> None:
            if url == A:
                raise RuntimeError("a defect")
            super().start(url)

    site = Site({R: Html((A, B, C))}, (R,))
    for each in runtimes(server):
        [found] = differences(site, each, (0,), Raising)
        assert found.kind() is DifferenceKind.RAISED
        assert "a defect" in repr(found.error)
        assert any("it raised" in line and "a defect" in line for line in records_that_differ(found))
