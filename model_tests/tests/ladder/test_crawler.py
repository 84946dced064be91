"""Rungs 16 and 17, the chapter's crawler: C1 to C9 of the text's sketch are absent; S1, S2 and S3 are the text's rule.

The rule of first discovery gives the reference's result wherever no number of redirects runs out.
"""

from functools import cache
from types import ModuleType
from typing import Any

import pytest

from impl.crawl.frontier import everything
from impl.crawl.record import Record
from impl.ladder.rungs import chapter, native
from impl.ladder.rungs.chapter import Crawler, FirstDiscovery
from impl.ladder.rungs.delegating import fetch
from impl.ladder.rungs.yielding import Coroutine, Loop
from impl.ladder.two_schedules import by_the_chapter, by_the_reference, site
from impl.net import NetworkConditions
from impl.sim.choices import Choices
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect
from impl.web.serving.render import location
from impl.web.serving.site import Broken, Html, Moved, Raw, Resource, Site

from ...crawls.sites import draw
from .conftest import A, B, C, D, R, Served, looping, reference_rows, rows, simulated

rungs = pytest.mark.parametrize("rung", [chapter, native], ids=["chapter", "native"])


def crawled(
    rung: ModuleType, resources: dict[str, Resource], *roots: str, **limits: Any
) -> tuple[dict[str, Outcome], list[str]]:
    """The outcomes of a crawl from the roots (R), and the requests in their order."""
    served = Served(resources)
    with simulated(Site(served, roots or (R,))) as world:
        served.asked.clear()
        found = rung.crawl(world, roots or (R,), **limits)
        assert world.meter.open == 0
        return found, served.asked


def by(rung: ModuleType, site: Site, seed: int = 0) -> FirstDiscovery:
    """A crawl of the whole site, all hosts, under the network conditions of a seed."""
    conditions = NetworkConditions(latency_ms_max=1 + seed % 10, segments_max=3)
    with looping(site, Choices.seeded(seed), conditions) as loop:
        crawler = rung.Crawler(loop, site.roots, site.limit, allows=everything)
        loop.run_until_complete(crawler.main())
    found: FirstDiscovery = crawler.found
    return found


@rungs
def test_what_was_cut_is_kept(rung: ModuleType) -> None:
    """C7."""
    assert by(rung, site("a")).cut == {"http://xkcd.test/c": "http://xkcd.test/d"}
    assert by(rung, site("b")).cut == {}


#: The URL that is fetched, and its outcome.
TROUBLE: list[tuple[Resource, type[Outcome]]] = [
    *((Broken(it), FetchFailure) for it in ("status", "refused", "no-such-host", "reset", "incomplete", "garbage")),
    (Broken("status", 300), FetchFailure),
    (Broken("no-location", 302), FetchFailure),
    (Raw(b"<a href=/b>b</a>", "text/html; charset=nonsense"), Page),
    (Raw(b"\xff\xfe<a href=/b>b</a> \xff", "text/html; charset=utf-8"), Page),
    (Raw(b"<a href=http://[bad/>bad</a><a href=/b>b</a>", "text/html"), Page),
]


@rungs
@pytest.mark.parametrize(("trouble", "kind"), TROUBLE)
def test_trouble_is_an_outcome(rung: ModuleType, trouble: Resource, kind: type[Outcome]) -> None:
    """C1: an error; C2: a redirect that leads nowhere; C3: a page that is hard to read: as a root and as a link.

    The other pages are fetched, and the crawl ends.
    """
    other = "http://b.test/"
    found, _ = crawled(rung, {R: Html((other, A)), other: trouble, A: Html()}, R, other)
    assert [type(found[url]) for url in (other, A)] == [kind, Page]


@rungs
def test_a_root_is_fetched_once(rung: ModuleType) -> None:
    """C4, C5, C8: linked to, redirected to, named twice, redirected to itself; so is the target of two redirects."""
    _, asked = crawled(rung, {R: Html((A, B, C, R)), A: Html((R,)), B: Moved(R), C: Moved(D), D: Moved(D)}, R, R)
    assert asked == [R, A, B, C, D]
    found, asked = crawled(rung, {R: Moved(R)})
    assert asked == [R]
    assert isinstance(found[R], Redirect)


@rungs
def test_a_location_is_what_it_means(rung: ModuleType) -> None:
    """C6: joined, without its fragment; one to another host is not followed."""
    sources = [f"http://a.test/from/{number}" for number in range(20)]
    written = {location(source, B) for source in sources}
    assert {"/b", "../b", f"{B}#top"} < written  # to be joined; with a fragment
    moved: dict[str, Resource] = {source: Moved(B) for source in sources}
    _, asked = crawled(rung, {**moved, B: Html()}, *sources)
    assert sorted(asked) == sorted([*sources, B])
    elsewhere = "http://b.test/"
    found, _ = crawled(rung, {R: Moved(elsewhere), elsewhere: Html()})
    assert list(found) == [R]


@rungs
@pytest.mark.parametrize(
    ("roots", "limits", "said"),
    [
        ((), {"max_tasks": 0}, "max_tasks must be 1 or more, not 0"),
        ((), {"max_redirect": -1}, "max_redirect must be 0 or more, not -1"),
        (("http://A.test",), {}, "not a canonical"),
    ],
)
def test_there_must_be_a_worker(rung: ModuleType, roots: tuple[str], limits: dict[str, int], said: str) -> None:
    """C9; the number of redirects and the roots are checked too."""
    with pytest.raises(ValueError, match=said):
        crawled(rung, {}, *roots, **limits)


@rungs
@pytest.mark.parametrize("workers", [1, 10])
@pytest.mark.parametrize("root", [R, A])
def test_a_worker_that_fails_ends_the_crawl(
    rung: ModuleType, workers: int, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C1: an error that no fetch should raise is raised by the crawl, which does not hang, if A is a root, too."""
    honest = rung.fetch

    def fetch(loop: Loop, url: str) -> Any:  # Any: a generator or a coroutine
        if url == A:
            raise LookupError(url)
        return honest(loop, url)

    monkeypatch.setattr(rung, "fetch", fetch)
    with pytest.raises(LookupError):
        crawled(rung, {R: Html((B, A, C)), B: Html((), 100), C: Html()}, root, max_tasks=workers)


class DoneTooEarly(Crawler):
    """A defect: an item is reported done before its links are put."""

    def work(self) -> Coroutine[None]:
        while True:
            url, left = yield from self.queue.get()
            outcome = yield from fetch(self.loop, url)
            self.queue.task_done()
            self.found.follow(url, left, outcome)


@pytest.mark.parametrize(("kind", "expected"), [(DoneTooEarly, [R]), (Crawler, [R, A, B])])
def test_an_item_is_done_when_what_it_led_to_is_put(kind: type[Crawler], expected: list[str]) -> None:
    """S4: else the crawl ends while there is more to fetch."""
    with looping(Site({R: Html((A,)), A: Html((B,)), B: Html()}, (R,))) as loop:
        crawler = kind(loop, [R])
        loop.run_until_complete(crawler.main())
    assert list(crawler.found.done) == expected


@cache
def random_site(seed: int) -> tuple[Site, list[Record]]:
    """The random site of a seed, and the records of the reference, for both rungs."""
    site = draw(Choices.seeded(seed).program)
    return site, reference_rows(site)


@rungs
def test_the_result_is_the_references_where_no_number_runs_out(rung: ModuleType, full: bool) -> None:
    """On random sites with every kind of error.  Where a redirect was cut, the result is sometimes another."""
    cut, lost = 0, 0
    sites = 40 if full else 20
    for seed in range(sites):
        site, expected = random_site(seed)
        found = by(rung, site, seed)
        right = rows(found.done) == expected
        assert right or found.cut
        cut += bool(found.cut)
        lost += not right
    assert sites - cut > sites * 3 // 8
    assert cut > lost > 0


@rungs
def test_two_schedules_two_results(rung: ModuleType) -> None:
    """S1: of the same five pages one or another is slow.  The reference finds all of them both times."""
    fetched = {slow: set(by(rung, site(slow)).done) for slow in "ab"}
    assert {len(urls) for urls in fetched.values()} == {4, 5}
    assert fetched["b"] - fetched["a"] == {"http://xkcd.test/d"}
    assert set(by_the_reference(site("a"))) == set(by_the_reference(site("b"))) == fetched["b"]
    assert set(by_the_chapter(site("a"))) == fetched["a"]


@rungs
def test_the_order_of_links_decides_with_one_worker_too(rung: ModuleType) -> None:
    """S2: there is one schedule only, and the page lists the same links in another order."""
    rest: dict[str, Resource] = {A: Html((C,)), B: Moved(C), C: Moved(D), D: Html()}
    for links, expected in (((A, B), [R, A, B, C, D]), ((B, A), [R, B, A, C])):
        resources = {R: Html(links), **rest}
        found, _ = crawled(rung, resources, max_tasks=1, max_redirect=1)
        assert list(found) == expected
        assert len(by_the_reference(Site(resources, (R,), limit=1))) == 5


@rungs
def test_the_order_of_the_result_depends_on_the_schedule(rung: ModuleType) -> None:
    """S3: even where no number runs out; the outcomes do not, nor do the reference's records."""
    pages = {R: Html((A, B)), C: Html(), D: Html()}
    sites = [Site({**pages, A: Html((C,), a), B: Html((D,), b)}, (R,)) for a, b in ((10, 200), (200, 10))]
    one, other = (by(rung, site).done for site in sites)
    assert one == other
    assert list(one) != list(other)
    assert reference_rows(sites[0]) == reference_rows(sites[1])
