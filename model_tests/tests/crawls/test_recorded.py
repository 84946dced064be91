"""Recorded crawls of every runtime are allowed by the specification; those of wrong frontiers and crawlers are not.

A crawl that starts n URLs leaves 2n + 1 lines, and the site determines their number: a recorder that misses a line
cannot pass for a smaller crawl.  The judge must also be able to reject.  It rejects all of these: the same recordings
with one line dropped, doubled or changed, frontiers without one of the rules, and crawlers with common defects.
"""

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import pytest

import impl
from impl.crawl.frontier import Frontier, everything
from impl.web.serving.generated_web import generate
from impl.web.serving.site import Broken, Html, Moved, Site
from spec.crawl import Const, Crawl, Worker
from spec.kit.core import Event
from spec.kit.model import Model
from spec.kit.monitor import Rejected
from spec.kit.trace import Do

from ...crawls.compare import IMPL, SIMULATED, drawn, runtimes
from ...crawls.comparison import CrawlRuntime, NewFrontier, scope
from ...crawls.oracle import oracle
from ...crawls.recording import Recording, judge, record, site_model
from ...crawls.server import Server
from ...implementations.all_mutants import replacing
from ...implementations.checks import monitor
from ...implementations.detection import Found
from ...implementations.mutant import Mutant
from ...implementations.parts.crawler import Crawler, runtime_of
from ...refinement.held import HeldRuns
from ..implementations.caught_by import caught_by
from .resources import Together, held

A, B, C, D, E = (f"http://a.test/{name}" for name in "abcde")
SITE = Site({A: Html((B, C, D)), B: Html((C, A)), C: Moved(E), D: Broken(), E: Html()}, (A,), 1)

#: The rules of the frontiers that lose URLs, or only budgets.
LOSES_BUDGETS = ("CRAWL-2", "CRAWL-3", "CRAWL-4")

REAL = ("impl-real", "asyncio-real", "aiohttp-real", "trio-real")
VIRTUAL = tuple(runtime.name for runtime in SIMULATED)
OTHERS = (*VIRTUAL[1:], *REAL)
#: How many sites impl crawls in `make check`, and the others; each under two conditions by so many workers.
SITES, SITES_OF_OTHERS = 30, 6
WORKERS = (2, 3)
HELD = [
    HeldRuns("crawl", VIRTUAL[:1], traces=SITES * 2 * len(WORKERS)),
    HeldRuns("crawl", OTHERS, traces=SITES_OF_OTHERS * 2 * len(WORKERS)),
]


def named(name: str, server: Server) -> CrawlRuntime:
    return next(runtime for runtime in runtimes(server) if runtime.name == name)


@dataclass(frozen=True)
class Case:
    """A recorded crawl, and its expected lines: for each start, each answer, the end, and ends of workers if seen."""

    came: Recording
    lines: int


def cases(
    runtime: CrawlRuntime, seeds: Iterable[int], workers: Iterable[int], frontier: NewFrontier = Frontier
) -> Iterator[Case]:
    """The random sites of these seeds, each under two conditions; for impl, one keeps the order of ready tasks."""
    for seed in seeds:
        for number in (seed % 4, (seed + 2) % 4):
            site = drawn(seed)
            lines = 2 * len(oracle(site, scope(site, number))) + 1
            for n in workers:
                came = record(runtime, site, number, n, frontier)
                yield Case(came, lines + n * came.sees_ends)


def accepted(all_cases: Iterable[Case]) -> tuple[int, int]:
    counts = Counter[str]()
    for case in all_cases:
        judge(case.came)
        assert case.came.error is None
        assert len(case.came.lines) == case.lines
        counts.update(crawls=1, lines=case.lines)
    return counts["crawls"], counts["lines"]


def rejected(came: Recording, model: Model[Const, Crawl] | None = None, *, blind: bool = False) -> Rejected | None:
    try:
        judge(came, model, blind=blind)
    except Rejected as no:
        return no
    return None


@pytest.mark.long("a second; those of other runtimes are judged by the same monitor")
def test_crawls_of_impl_in_both_orders_are_allowed(full: bool) -> None:
    sites = 600 if full else SITES
    crawls, lines = accepted(cases(IMPL, range(sites), WORKERS))
    assert crawls == 4 * sites
    assert full or lines == 1112


@pytest.mark.long("a second")
def test_ten_workers_a_larger_web_and_a_right_crawler_are_allowed(full: bool) -> None:
    """Only a few sites, because each worker may be cancelled or not at the end, which makes 1,024 states."""
    assert accepted(cases(IMPL, range(20 if full else 1), (10,)))[0] == (40 if full else 2)
    site = generate(impl.Choices.seeded(1).program, 40, 20)
    came = record(IMPL, site, 3, 3)
    judge(came)
    assert len(came.lines) == 2 * len(oracle(site, scope(site, 3))) + 1
    assert accepted(cases(runtime_of(Crawler), range(20), (2,)))[0] == 40


@pytest.mark.parametrize("name", OTHERS)
def test_crawls_of_other_runtimes_are_allowed(name: str, server: Server, full: bool) -> None:
    sites = 250 if full else SITES_OF_OTHERS
    assert accepted(cases(named(name, server), range(sites), WORKERS))[0] == 4 * sites


def test_trio_tells_of_the_end_of_each_worker(server: Server) -> None:
    """A worker ends after the last answer."""
    came = record(named("trio-real", server), SITE, 0, 4)
    judge(came)
    *rest, last = came.lines
    assert sorted(map(str, rest[-4:])) == [f"cancel({worker})" for worker in range(4)]
    assert str(last) == "close()"
    early = [came.seen[0], came.seen[-2], *came.seen[1:-2], came.seen[-1]]
    no = rejected(replace(came, seen=early), blind=True)
    assert no is not None
    assert len(no.accepted) == 1


@pytest.mark.parametrize("runtime", SIMULATED, ids=VIRTUAL)
def test_the_conditions_are_different_schedules(runtime: CrawlRuntime) -> None:
    """Otherwise a thousand crawls would be one."""

    def differ(seed: int) -> bool:
        lines = (record(runtime, drawn(seed), number, 3).lines for number in (0, 2, 4, 6))
        first = next(lines)
        return any(other != first for other in lines)

    assert sum(map(differ, range(8))) > 4


def test_the_least_solution_of_the_site_is_what_the_oracle_says(full: bool) -> None:
    """The two implementations share nothing but the definition."""
    for seed in range(300 if full else 40):
        site = drawn(seed)
        for allows in (scope(site, 0), scope(site, 1)):
            of = site_model(site, allows, 2)
            least = of.model.k.least
            assert {url: least[number] for url, number in of.numbers.items() if least[number] >= 0} == {
                row.url: row.budget for row in oracle(site, allows)
            }


def changed(line: Do) -> Do:
    """Change a line: another worker, the answer of another kind of URL, or no end."""
    match line.event:
        case Event("start", (int(worker), url)):
            return Do(Event("start", (Worker(1 - worker), url)))
        case Event("cancel"):
            return Do(Event("close"))
        case Event(name, args):
            other = {"page": "fail", "fail": "redirect", "redirect": "page", "close": "cancel"}[name]
            return Do(Event(other, args or (Worker(0),)))


@pytest.mark.parametrize(
    "spoil",
    [lambda line: [], lambda line: [line, line], lambda line: [changed(line)]],
    ids=["dropped", "doubled", "changed"],
)
@pytest.mark.parametrize("name", VIRTUAL)
def test_every_line_counts(name: str, spoil: Callable[[Do], list[Do]], server: Server, full: bool) -> None:
    """With any line of any crawl changed, the lines alone are rejected."""
    spoilt = 0
    sites, lines_of_all, ends_of_all = (5, 74, 20) if full else (2, 24, 8)
    for case in cases(named(name, server), range(sites), (2,)):
        for at, (seen, line) in enumerate(case.came.seen):
            lines = [*case.came.seen[:at], *((seen, each) for each in spoil(line)), *case.came.seen[at + 1 :]]
            assert rejected(replace(case.came, seen=lines), blind=True), f"line {at + 1} of {case.came.lines}"
            spoilt += 1
    assert spoilt == lines_of_all + ends_of_all * case.came.sees_ends


def test_what_is_seen_of_the_frontier_counts() -> None:
    for case in cases(IMPL, range(5), (2,)):
        states, lines = zip(*case.came.seen, strict=True)
        for at in range(1, len(lines)):
            late = [*states[:at], states[at - 1], *states[at + 1 :]]
            no = rejected(replace(case.came, seen=list(zip(late, lines, strict=True))))
            assert no is not None
            assert len(no.accepted) == at


@pytest.mark.parametrize("name", [*VIRTUAL, *REAL])
def test_as_many_workers_at_once_as_were_asked_for(name: str, server: Server) -> None:
    """A crawl by three workers is not one by two.  The real server answers no link before all three are requested."""
    runtime = named(name, server)
    if runtime.real:
        links = Together(B, C, D)
        runtime = held(runtime, lambda url: links.wait(url) if url != A else None)
    came = record(runtime, SITE, 0, 3)
    judge(came)
    no = rejected(came, site_model(SITE, everything, 2).model, blind=True)
    assert no is not None
    assert no.line.startswith("start(2, ")
    assert "no_url_is_forgotten" in no.broken


@caught_by("monitor", "Frontier", "Crawler")
def test_wrong_crawlers_are_rejected(mutant: Mutant, found: Found, caplog: pytest.LogCaptureFixture) -> None:
    assert monitor.again(mutant, found)
    gc.collect()
    caplog.clear()  # the loop reports workers that end with an error


def test_a_lost_url_shows_in_the_lines_and_a_lost_budget_to_sight(full: bool) -> None:
    """The first property that a frontier breaks is always that a URL which is done has handed on all its links."""
    for mutant in replacing("Frontier"):
        if mutant.rule not in LOSES_BUDGETS or (mutant.rule != "CRAWL-2" and not full):
            continue
        lost = short = 0
        for case in cases(IMPL, range(60 if full else 15), (2, 3), mutant.wrong):
            by_lines, by_sight = rejected(case.came, blind=True), rejected(case.came)
            assert (by_lines is not None) == (len(case.came.lines) < case.lines)
            assert first_broken(case.came) == ("closed_when_done" if by_sight else None)
            if by_lines is not None:
                assert by_lines.line == "close()"
                assert by_sight is not None
                assert len(by_sight.accepted) <= len(by_lines.accepted)
            lost += by_lines is not None
            short += by_sight is not None
        assert 0 < lost < short


def first_broken(came: Recording) -> str | None:
    return next((broken.name for seen, _ in came.seen for broken in came.model.broken(seen)), None)
