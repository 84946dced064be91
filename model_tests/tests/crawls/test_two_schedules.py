"""The chapter's rule, first discovery wins, gives two results on one site, with the schedules that the check finds.

The manifest of the specification has the smallest sites that refute the rule: 5 URLs with one root, 4 with two.  The
check's counterexample loses a URL; the same search finds a shortest run that loses none.  The order of answers of each
is kept.  Then real crawlers crawl the site and get their answers in that order:

- ours on its own loop in virtual time (the chapter's own: ../ladder/test_crawler.py);
- every runtime on real sockets, where the server holds each answer back until the crawler has processed the one before.

Under the chapter's rule the two orders give two sets of pages; under ours, one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import pytest

import impl
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.frontier import Frontier, everything
from impl.web.outcome import Outcome
from impl.web.serving.site import Broken, Html, Moved, Resource, Site
from spec.crawl import AnswerKind, Const, Crawl, Phase, Url, crawl, crawl_model
from spec.crawl.bounded import CRAWL, ONE_ROOT, TWO_ROOTS
from spec.kit.bounded import Fails, only
from spec.kit.core import Event, Spec
from spec.kit.monitor import Rejected
from spec.kit.search import Violation, check, path

from ...crawls.compare import runtimes
from ...crawls.comparison import NewFrontier
from ...crawls.oracle import outcome
from ...crawls.recording import Recording, RecordingFrontier, judge, record, recording, site_model
from ...crawls.server import Server
from ...implementations.all_mutants import BY_NAME
from .resources import Turns, held

ANSWERS = ("page", "redirect", "fail")
FIRST_DISCOVERY_WINS = BY_NAME["FrontierFirstDiscoveryWins"].wrong


def counterexample(k: Const) -> list[Event]:
    pinned = [i.model() for i in CRAWL if isinstance(i, Fails) and i.broken == "done_is_least_solution"]
    [model] = [model for model in pinned if model.k == k]
    with pytest.raises(Violation) as found:
        check(model)
    return [event for event, _ in found.value.trace if event is not None]


def good_run(k: Const) -> list[Event]:
    model = crawl_model(k, spec=only(crawl, "no_budget_too_large"))
    graph = check(model)
    whole = frozenset(u for u in k.urls if k.least[u] >= 0)
    end = next(s for s in graph.states if s.phase == Phase.CLOSED and s.done == whole)
    return [next(e for e, t in model.successors(a) if t == b) for a, b in pairwise(path(graph, end))]


@dataclass(frozen=True)
class Row:
    """A schedule: how it is found, the order of its answers, the URLs that the chapter's rule then fetches."""

    k: Const
    find: Callable[[Const], list[Event]]
    order: str
    fetched: set[int]

    @cached_property
    def run(self) -> list[Event]:
        return self.find(self.k)

    @property
    def urls(self) -> list[str]:
        answered = [Url(int(answer.split()[1])) for answer in self.order.split(", ")]
        return [address(u) for u in (*answered, *sorted(self.k.urls - set(answered)))]


ROWS = {
    "one root, a URL is lost": Row(ONE_ROOT, counterexample, "page 0, redirect 1, page 2, redirect 3", {*range(4)}),
    "one root, none is": Row(ONE_ROOT, good_run, "page 0, page 2, redirect 1, redirect 3, page 4", {*range(5)}),
    "two roots, a URL is lost": Row(TWO_ROOTS, counterexample, "redirect 1, page 0, redirect 2", {0, 1, 2}),
    "two roots, none is": Row(TWO_ROOTS, good_run, "page 0, redirect 2, page 3, redirect 1", {0, 1, 2, 3}),
}
each_row = pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)


def test_the_check_finds_these_orders_of_answers() -> None:
    assert [answers(row.run) for row in ROWS.values()] == [row.order for row in ROWS.values()]


def address(u: int) -> str:
    return f"http://a.test/{u}"


def site_of(k: Const) -> Site:
    resources: dict[str, Resource] = {}
    for u in sorted(k.urls):
        match k.kind[u]:
            case AnswerKind.PAGE:
                resources[address(u)] = Html(tuple(map(address, sorted(k.links[u]))))
            case AnswerKind.REDIRECT:
                resources[address(u)] = Moved(address(k.hop[u]))
            case AnswerKind.ERROR:
                resources[address(u)] = Broken()
    return Site(resources, tuple(map(address, sorted(k.roots))), k.limit)


@each_row
def test_the_site_has_these_constants(row: Row) -> None:
    of = site_model(site_of(row.k), everything, len(row.k.workers))
    assert of.numbers == {address(u): u for u in row.k.urls}
    assert replace(of.model.k, first_wins=True) == row.k


def answers(run: Iterable[Event]) -> str:
    return ", ".join(f"{name} {args[1]}" for name, args in run if name in ANSWERS)


def steps(run: Iterable[Event]) -> list[str]:
    return [f"{name} {args[1]}" for name, args in run if name in ("start", *ANSWERS)]


def fetched(came: Recording) -> set[object]:
    return {args[1] for name, args in events(came) if name in ANSWERS}


def events(came: Recording) -> list[Event]:
    assert came.error is None
    return [line.event for line in came.lines]


class InOrder:
    """Release the answers in this order, one at a time; `next` signals that an answer was processed."""

    def __init__(self, urls: Sequence[str], loop: impl.Loop) -> None:
        self._urls = iter(urls)
        self._next = next(self._urls)
        self._loop = loop
        self._asked: dict[str, impl.Future[None]] = {}

    async def wait(self, url: str) -> None:
        self._asked[url] = future = self._loop.create_future()
        self._loop.call_soon(self._release)
        await future

    def next(self) -> None:
        self._next = next(self._urls, "")
        self._loop.call_soon(self._release)

    def _release(self) -> None:
        future = self._asked.pop(self._next, None)
        if future is not None:
            future.set_result(None)


def on_impl(row: Row, rule: NewFrontier) -> Recording:
    """Record our crawler on our loop in virtual time, with as many workers as the schedule has."""
    site, workers, loop = site_of(row.k), len(row.k.workers), impl.Loop()
    turns = InOrder(row.urls, loop)
    model = site_model(site, everything, workers)
    recorder = RecordingFrontier(rule(site.limit, everything), model, "impl", turns.next)

    async def fetch(url: str) -> Outcome:
        await turns.wait(url)
        return outcome(site, url)

    plan = CrawlConfig(site.roots, max_redirect=site.limit, max_tasks=workers)
    return recording(recorder, lambda: loop.run(Crawler(plan, fetch, frontier=recorder).crawl()))


@each_row
def test_impl_does_what_the_check_found(row: Row) -> None:
    """With the chapter's rule: every start and every answer, in the order of the run that was found."""
    came = on_impl(row, FIRST_DISCOVERY_WINS)
    assert steps(events(came)) == steps(row.run)
    assert fetched(came) == row.fetched


@each_row
def test_impl_finds_the_same_in_both_orders_with_our_rule(row: Row) -> None:
    came = on_impl(row, Frontier)
    assert answers(events(came)).startswith(row.order)
    assert fetched(came) == set(row.k.urls)
    judge(came)


@each_row
def test_the_recorded_run_is_one_of_the_chapters_rule(row: Row) -> None:
    """Where a URL is lost, the run breaks `done_is_least_solution`, at the last answer, and nothing else."""
    came = on_impl(row, FIRST_DISCOVERY_WINS)
    judge(came, crawl_model(row.k, spec=Spec("any answer", Crawl, crawl, without=["done_is_least_solution"])))
    if row.find is good_run:
        judge(came, crawl_model(row.k))
        return
    with pytest.raises(Rejected) as no:
        judge(came, crawl_model(row.k))
    assert no.value.broken == ["done_is_least_solution"]
    assert len(no.value.accepted) == len(came.lines) - 2


@each_row
@pytest.mark.parametrize("name", ["impl-real", "asyncio-real", "aiohttp-real", "trio-real"])
def test_real_runtimes_do_it_too(name: str, row: Row, server: Server) -> None:
    """With the chapter's rule the order of answers determines the fetched URLs; with ours, all are fetched."""
    runtime = next(runtime for runtime in runtimes(server) if runtime.name == name)

    def crawled(rule: NewFrontier) -> Recording:
        turns = Turns(row.urls)
        return record(held(runtime, turns.wait), site_of(row.k), 0, len(row.k.workers), rule, turns.next)

    chapters, ours = crawled(FIRST_DISCOVERY_WINS), crawled(Frontier)
    assert answers(events(chapters)) == row.order
    assert fetched(chapters) == row.fetched
    assert answers(events(ours)).startswith(row.order)
    assert fetched(ours) == set(row.k.urls)
    judge(ours)
    if row.find is counterexample:
        with pytest.raises(Rejected):
            judge(chapters, blind=True)
