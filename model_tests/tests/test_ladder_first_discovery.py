"""First discovery, the chapter's rule, in rungs 16 and 17: equal to the reference's where no budget runs out.

Elsewhere the rule has its defects S1, S2 and S3, as it is the text's.  S0 and S4 are shown on what the rungs do not do.
"""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

from impl.crawl.crawler import Plan
from impl.crawl.outcome import Outcome, Page
from impl.ladder import chapter, command, scale
from impl.ladder.chapter import Crawler, FirstDiscovery
from impl.ladder.delegating import Future, fetch
from impl.ladder.rung import RUNGS
from impl.ladder.simulated import SimulatedWorld
from impl.ladder.two_schedules import by_the_chapter, by_the_reference, site, two_schedules
from impl.ladder.yielding import Coroutine, Loop
from impl.sim.choices import Choices
from impl.web.generated import generate
from impl.web.site import Html, Moved, Resource, Site

from ..crawls.sites import draw
from .ladder_crawls import A, B, C, D, R, by, crawled, crawled_by, looping, reference, rows, rungs


@rungs
def test_the_result_is_the_references_where_no_budget_runs_out(rung: ModuleType) -> None:
    """On sites as they are drawn, of every kind of error.  Elsewhere it sometimes is, and sometimes not."""
    equal, cut, lost = 0, 0, 0
    for seed in range(80):
        site = draw(Choices.seeded(seed).program)
        found = by(rung, site, seed)
        right = rows(found.done) == reference(site)
        assert right or found.cut
        equal += not found.cut
        cut += bool(found.cut)
        lost += not right
    assert equal > 30
    assert cut > lost > 0


@rungs
def test_no_budget_runs_out_where_it_is_as_great_as_the_number_of_redirects(rung: ModuleType) -> None:
    for seed in range(20):
        drawn = draw(Choices.seeded(seed).program)
        site = replace(drawn, limit=sum(isinstance(it, Moved) for it in drawn.resources.values()))
        found = by(rung, site, seed)
        assert found.cut == {}
        assert rows(found.done) == reference(site)


@rungs
@pytest.mark.parametrize("pages", [1, 10, 60])
def test_a_generated_web_is_crawled_whole(rung: ModuleType, pages: int) -> None:
    """Within the hosts of its roots, with chains and cycles of redirects."""
    web = replace(generate(Choices.seeded(pages).program, pages, 20), limit=60)
    plan = Plan(web.roots)
    world = SimulatedWorld(web)
    try:
        found = rung.crawl(world, web.roots, web.limit)
    finally:
        world.close()
    assert rows(found) == reference(web, plan.scope().allows)
    assert len(found) >= pages


# --- first discovery (S1, S2, S3): the text's rule, and its defect ------------------------------------------------


@rungs
def test_two_schedules_two_results(rung: ModuleType) -> None:
    """S1: the same five pages, of which now the one, now the other is slow.  The reference finds all of them."""
    fetched = {slow: set(by(rung, site(slow), 0).done) for slow in "ab"}
    assert {len(urls) for urls in fetched.values()} == {4, 5}
    assert fetched["b"] - fetched["a"] == {"http://xkcd.test/d"}
    assert set(by_the_reference(site("a"))) == set(by_the_reference(site("b"))) == fetched["b"]
    assert set(by_the_chapter(site("a"))) == fetched["a"]


def test_the_two_schedules_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [line.split(":")[-1].strip() for line in two_schedules()[1:]] == [
        "the chapter fetches r a b c d  the reference r a b c d",
        "the chapter fetches r a b c    the reference r a b c d",
    ]
    monkeypatch.setattr(scale, "report", list)
    monkeypatch.setattr("impl.ladder.command.RUNGS", RUNGS[:1])
    assert command.main(["--pages", "1"]) == 0
    assert "\n".join(two_schedules()) in capsys.readouterr().out


@rungs
def test_the_order_of_links_decides_with_one_worker_too(rung: ModuleType) -> None:
    """S2: there is but one schedule, and the page lists the same links the other way round."""
    rest: dict[str, Resource] = {A: Html((C,)), B: Moved(C), C: Moved(D), D: Html()}
    for links, expected in (((A, B), [R, A, B, C, D]), ((B, A), [R, B, A, C])):
        resources = {R: Html(links), **rest}
        found, _ = crawled(rung, resources, max_tasks=1, max_redirect=1)
        assert list(found) == expected
        assert len(by_the_reference(Site(resources, (R,), limit=1))) == 5


@rungs
def test_the_order_of_the_result_depends_on_the_schedule(rung: ModuleType) -> None:
    """S3: even where no budget runs out; the result itself does not, nor do the reference's records."""
    sites = [
        Site({R: Html((A, B)), A: Html((C,), a), B: Html((D,), b), C: Html(), D: Html()}, (R,))
        for a, b in ((10, 200), (200, 10))
    ]
    one, other = (by(rung, site, 0).done for site in sites)
    assert one == other
    assert list(one) != list(other)
    assert reference(sites[0]) == reference(sites[1])


# --- the order of lines (S0, S4) ---------------------------------------------------------------------------


class PutsFirst(FirstDiscovery):
    """The text's order: the links of a page are noted as seen when all of them are put."""

    def follow(self, url: str, left: int, outcome: Outcome) -> None:
        self.done[url] = outcome
        assert isinstance(outcome, Page)
        for link in [link for link in outcome.links if link not in self.seen]:
            self.put((link, self.max_redirect))
        self.seen.update(outcome.links)


@pytest.mark.parametrize(
    ("rule", "onward", "expected"),
    [(PutsFirst, (), [R, A, B, B]), (FirstDiscovery, (), [R, A, B]), (FirstDiscovery, (A, R), [R, A, B])],
)
def test_a_page_is_fetched_once_even_when_a_worker_runs_inside_put(
    monkeypatch: pytest.MonkeyPatch, rule: type[FirstDiscovery], onward: tuple[str, ...], expected: list[str]
) -> None:
    """S0: with a fetch that never waits, a put runs the other worker through `fetch` and `follow`.

    In the text's order the page that both link to is put by both.  Noted first, it is put once, wherever it leads.
    """
    pages = {R: Page((A, B)), A: Page((B,)), B: Page(onward)}
    fetched: list[str] = []

    def fetch(loop: Loop, url: str) -> Coroutine[Outcome]:
        fetched.append(url)
        if url == R:  # until all workers wait
            alarm = Future[None]()
            loop.deadlines[alarm] = 1.0
            with pytest.raises(TimeoutError):
                yield from alarm
            del loop.deadlines[alarm]
        return pages[url]

    monkeypatch.setattr(chapter, "fetch", fetch)
    monkeypatch.setattr(chapter, "FirstDiscovery", rule)
    with looping(Site({}, ())) as loop:
        loop.run_until_complete(Crawler(loop, [R], max_tasks=3).crawl())
    assert fetched == expected


class DoneTooEarly(Crawler):
    """What the rung does not do: an item is done before what it led to is put."""

    def work(self) -> Coroutine[None]:
        while True:
            url, left = yield from self.queue.get()
            outcome = yield from fetch(self.loop, url)
            self.queue.task_done()
            self.found.follow(url, left, outcome)


def test_an_item_is_done_when_what_it_led_to_is_put() -> None:
    """S4: else the crawl ends while there is more to fetch."""
    resources: dict[str, Resource] = {R: Html((A,)), A: Html((B,)), B: Html()}
    assert crawled_by(DoneTooEarly, resources) == [R]
    assert crawled_by(Crawler, resources) == [R, A, B]
