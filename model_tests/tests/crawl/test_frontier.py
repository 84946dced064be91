"""The frontier: one result under every schedule, and mutants that have more than one."""

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from impl.crawl.frontier import Frontier
from impl.crawl.record import canonical
from impl.sim.choices import Choices
from impl.web.outcome import FetchFailure, Page, Redirect
from impl.web.serving.site import Html, Moved, Resource, Site

from ...crawls.oracle import oracle
from ...crawls.sites import draw, shrink, urls_of
from ...implementations.all_mutants import BY_NAME
from ...implementations.checks import exploration, machine
from ...implementations.checks.exploration import SITES
from ...implementations.detection import Found
from ...implementations.mutant import Mutant
from ...refinement.held import HeldRuns
from ...refinement.machines.crawl import crawled, expected_cut, final_results, frontier_machine
from ..implementations.caught_by import caught_by

R, A, B, C, D = (f"http://a.test/{name}" for name in "rabcd")

STEPS, STEPS_SHORT = 30, 20
EXAMPLES = 100
FIRST_DISCOVERY_WINS = BY_NAME["FrontierFirstDiscoveryWins"].wrong
HELD = [HeldRuns("crawl", ("impl",), examples=EXAMPLES)]


def test_any_order_of_offers_starts_and_completions_ends_in_the_least_fixpoint(full: bool) -> None:
    """CRAWL-6, on sites with the features of real ones: several hosts, dead ones, faults; roots may arrive late."""
    for seed in range(2000 if full else 200):
        choices = Choices.seeded(seed)
        site = draw(choices.program)
        frontier = crawled(site, choices.schedule)
        expected = oracle(site)
        assert canonical(frontier) == expected
        assert frontier.cut() == expected_cut(site, expected)


def test_the_frontier_does_what_the_specification_says(full: bool) -> None:
    """CRAWL-1 to CRAWL-6."""
    run_state_machine_as_test(
        frontier_machine(),
        settings=settings(max_examples=2000 if full else EXAMPLES, stateful_step_count=STEPS if full else STEPS_SHORT),
    )


@pytest.mark.short(
    "FrontierFirstDiscoveryWins", "FrontierDoesNotPropagate", "FrontierForgetsCut", why="the other takes four seconds"
)  # fmt: skip
@caught_by("machine", "Frontier")
def test_the_machine_catches_wrong_frontiers(mutant: Mutant, found: Found) -> None:
    assert machine.again(mutant, found)


@caught_by("exploration", "Frontier")
def test_all_schedules_of_a_small_site_catch_wrong_frontiers(mutant: Mutant, found: Found) -> None:
    assert exploration.again(mutant, found)


def sites_of(n: int) -> Iterator[Site]:
    """Yield every site of `n` URLs: any links, redirects and errors, 1 to n roots, limit 0 to n."""
    urls = (R, A, B)[:n]
    pages = (Html(links) for size in range(n + 1) for links in itertools.combinations(urls, size))
    kinds: list[Resource | None] = [*pages, *map(Moved, urls), None]
    for choice in itertools.product(kinds, repeat=n):
        resources = {url: resource for url, resource in zip(urls, choice, strict=True) if resource}
        for roots, limit in itertools.product(range(1, n + 1), range(n + 1)):
            yield Site(resources, urls[:roots], limit)


@pytest.mark.parametrize(("n", "sites"), [(1, 2 * 4), (2, 6 * 7**2), (3, 12 * 12**3)])
def test_every_small_site_has_one_result_under_all_schedules(n: int, sites: int, full: bool) -> None:
    """CRAWL-6, exhaustively: every site of up to 3 URLs, every schedule of 2 workers."""
    if n == 3 and not full:
        pytest.skip("20,736 sites: --full")
    count = 0
    for site in sites_of(n):
        assert final_results(site) == [oracle(site)]
        count += 1
    assert count == sites


@pytest.mark.parametrize("site", SITES.values(), ids=SITES)
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_first_discovery_has_two_results_where_the_frontier_has_one(site: Site, workers: int) -> None:
    """CRAWL-2: the chapter's rule fetches d or loses it, for any number of workers."""
    assert final_results(site, Frontier, workers) == [oracle(site)]
    fetched = {tuple(row.url for row in rows) for rows in final_results(site, FIRST_DISCOVERY_WINS, workers)}
    whole = tuple(sorted(urls_of(site)))
    assert fetched == {whole, tuple(url for url in whole if url != D)}


def loses_a_url(site: Site) -> bool:
    """Whether two schedules of the first-discovery rule fetch different sets of URLs."""
    results = final_results(site, FIRST_DISCOVERY_WINS)
    return len({tuple(row.url for row in rows) for rows in results}) > 1


@pytest.mark.long("it shrinks the sites of a hundred seeds")
def test_differences_shrink_to_the_smallest_known_sites() -> None:
    """One root: 5 URLs.  Several: 4 URLs with two roots, or the same 5 plus irrelevant roots."""
    drawn = (draw(Choices.seeded(seed).program) for seed in range(100))
    losing = [site for site in drawn if len(urls_of(site)) <= 9 and loses_a_url(site)]
    shrunk = [(len(site.roots) > 1, shrink(site, loses_a_url)) for site in losing]
    found = {(several, len(urls_of(least)), len(least.roots), least.limit) for several, least in shrunk}
    assert found == {(False, 5, 1, 1), (True, 5, 1, 1), (True, 4, 2, 1)}


def test_links_are_announced_in_order_and_once() -> None:
    frontier = Frontier(2)
    assert frontier.offer(R, 2) == [R]
    assert frontier.offer(R, 2) == []
    frontier.start(R)
    assert frontier.complete(R, Page((C, A, R, B))) == [C, A, B]
    frontier.start(C)
    assert frontier.complete(C, Page((A, B, D))) == [D]


def test_a_raised_budget_goes_along_a_chain_of_any_length() -> None:
    """CRAWL-4, by a loop, not by recursion: 5,000 fetched redirects and one that was cut."""
    chain = [f"http://a.test/{i}" for i in range(5_002)]
    frontier = Frontier(5_001)
    frontier.offer(chain[0], 5_000)
    for url, target in itertools.pairwise(chain):
        frontier.start(url)
        frontier.complete(url, Redirect(target))
    assert frontier.cut() == [(chain[-2], chain[-1])]
    assert frontier.offer(chain[0], 5_001) == [chain[-1]]
    assert frontier.best[chain[-1]] == 0
    assert frontier.cut() == []


def test_a_cycle_of_redirects_ends() -> None:
    frontier = Frontier(10)
    frontier.offer(A, 3)
    for url, target in ((A, B), (B, A)):
        frontier.start(url)
        frontier.complete(url, Redirect(target))
    assert frontier.idle
    assert frontier.offer(A, 10) == []
    assert frontier.best == {A: 10, B: 9}
    assert frontier.cut() == []


def test_what_is_out_of_scope_is_recorded_and_not_followed() -> None:
    """Roots, links and redirect targets alike; a target out of scope does not count as cut."""
    frontier = Frontier(1, lambda url: url not in (C, D))
    assert frontier.offer(D, 1) == []
    frontier.offer(R, 1)
    frontier.start(R)
    assert frontier.complete(R, Page((C, A))) == [A]
    frontier.start(A)
    assert frontier.complete(A, Redirect(B)) == [B]
    frontier.start(B)
    assert frontier.complete(B, Redirect(C)) == []
    assert frontier.idle
    assert frontier.outcomes[B] == Redirect(C)
    assert frontier.cut() == []


def test_invalid_calls_say_what_is_wrong() -> None:
    frontier = Frontier(0)
    with pytest.raises(ValueError, match=f"cannot start a URL that is unknown: {R}"):
        frontier.start(R)
    frontier.offer(R, 0)
    with pytest.raises(ValueError, match="cannot complete a URL that is queued"):
        frontier.complete(R, Page(()))
    frontier.start(R)
    with pytest.raises(ValueError, match="cannot start a URL that is in flight"):
        frontier.start(R)
    frontier.complete(R, FetchFailure("refused"))
    with pytest.raises(ValueError, match="cannot complete a URL that is done"):
        frontier.complete(R, Page(()))
    with pytest.raises(ValueError, match=r"a budget must be in 0\.\.0, not 1"):
        frontier.offer(A, 1)
    with pytest.raises(ValueError, match="the redirect limit must be 0 or more, not -1"):
        Frontier(-1)


def test_the_links_of_a_page_become_known_before_its_resources() -> None:
    frontier = Frontier(1)
    frontier.offer(R, 1)
    frontier.start(R)
    assert frontier.complete(R, Page((A, B), resources=(C, D))) == [A, B, C, D]
    assert frontier.depth == {R: 0, A: 0, B: 0, C: 1, D: 1}
