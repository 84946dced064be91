"""The crawl: the equation is solved, the effects of the schedule, and which small sites there are.

The pins of the manifest are not repeated here.  These tests check the basis of its numbers: `least` is the least
solution, `spread` satisfies its contract, and the classes of sites make up the whole universe.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product
from math import factorial

import pytest

from spec.crawl import (
    AnswerKind,
    Const,
    Phase,
    Url,
    Worker,
    as_met,
    crawl,
    crawl_fifo,
    crawl_model,
    fifo_model,
    least,
    site,
)
from spec.crawl.bounded import CRAWL, CRAWL_FIFO, DIAMOND, ONE_ROOT, TWO_ROOTS
from spec.crawl.fifo import Main
from spec.crawl.models import fifo_over
from spec.crawl.models import over as crawl_over
from spec.crawl.sites import classes, constants, inverse, renamed, renamings, universe
from spec.crawl.specification import closed, equation, spread
from spec.kit.bounded import Holds, only
from spec.kit.core import Map
from spec.kit.search import check

# The equation.


def functions(k: Const) -> Iterator[Map[Url, int]]:
    """Every function from the site's URLs to budgets."""
    urls = sorted(k.urls)
    for values in product(range(-1, k.limit + 1), repeat=len(urls)):
        yield Map(dict(zip(urls, values, strict=True)))


def below(x: Map[Url, int], y: Map[Url, int]) -> bool:
    return all(x[u] <= y[u] for u in x)


@pytest.mark.parametrize("roots", [1, 2])
def test_least_is_the_least_of_the_closed_functions(roots: int) -> None:
    for size in range(roots, 4):
        for shape in classes(size, roots, oddities=size < 3):
            k = constants(shape, roots=roots)
            shut = [x for x in functions(k) if closed(k, x)]
            assert shut == [x for x in functions(k) if below(equation(k, x), x)]
            assert least(k) in shut
            assert all(below(least(k), x) for x in shut)
            assert equation(k, least(k)) == least(k)


def test_a_site_with_more_errors_leads_to_fewer_urls() -> None:
    """CRAWL-22: a crawl of a site as it was met fetches nothing beyond the site, and the bounded models hold there."""
    fewer = 0
    for shape in classes(3, 1):
        k = constants(shape)
        for n in range(len(shape) + 1):
            for failed in map(frozenset, combinations(sorted(k.urls), n)):
                met = as_met(k, failed)
                assert below(met.least, k.least)
                changed = {u for u in k.urls if met.kind[u] != k.kind[u]}
                assert changed == {u for u in failed if k.kind[u] != AnswerKind.ERROR}
                fewer += met.least != k.least
    assert fewer > 50
    check(crawl_model(as_met(site({0: (1, 2)}, {1: 3, 2: 3}), frozenset({Url(1)}))))


def test_spread_is_what_its_contract_says() -> None:
    """From any budgets and for any set of fetched redirects, including cycles of redirects."""
    looped = site({0: (1, 2)}, {1: 2, 2: 3, 3: 1}, limit=2)
    redirects = [Url(1), Url(2), Url(3)]
    every = list(functions(looped))
    for n in range(len(redirects) + 1):
        for done in map(frozenset, combinations(redirects, n)):
            followed = [x for x in every if all(x[looped.hop[u]] >= x[u] - 1 for u in done)]
            for best in every:
                held = [x for x in followed if below(best, x)]
                after = spread(looped, done, best)
                assert after in held
                assert all(below(after, x) for x in held)


# Dependence on the schedule.

Fetched = set[tuple[int, ...]]


def of_crawl(k: Const) -> Fetched:
    """Return the final sets of fetched URLs of all schedules of a crawl."""
    graph = check(crawl_model(k, spec=only(crawl, "no_budget_too_large")), may_end=crawl_over)
    return {tuple(sorted(s.done)) for s in graph.states if s.phase == Phase.CLOSED}


def of_loop(k: Const) -> Fetched:
    """Return the final sets of fetched URLs of all schedules of the chapter's loop."""
    graph = check(fifo_model(k, spec=only(crawl_fifo, "every_worker_in_one_place")), may_end=fifo_over)
    return {tuple(sorted(s.done)) for s in graph.states if s.main == Main.OVER}


@pytest.mark.parametrize("outcomes", [of_crawl, of_loop])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_chapters_rule_depends_on_the_schedule_from_five_urls_on_or_four_with_two_roots(
    workers: int, outcomes: Callable[[Const], Fetched]
) -> None:
    """With one worker too, in the order of a page's links, which are a set, or of the roots."""
    names = frozenset(map(Worker, range(workers)))
    assert outcomes(replace(ONE_ROOT, workers=names)) == {(0, 1, 2, 3), (0, 1, 2, 3, 4)}
    assert outcomes(replace(TWO_ROOTS, workers=names)) == {(0, 1, 2), (0, 1, 2, 3)}


@pytest.mark.parametrize("outcomes", [of_crawl, of_loop])
def test_our_rule_does_not(outcomes: Callable[[Const], Fetched]) -> None:
    assert outcomes(DIAMOND) == {(0, 1, 2, 3, 4)}
    assert outcomes(replace(TWO_ROOTS, first_wins=False)) == {(0, 1, 2, 3)}


def test_the_registry_has_every_site() -> None:
    """In the universes that the titles name: each family is pinned, so its number of sites is checked by the check."""
    families = [i for i in CRAWL if isinstance(i, Holds) and i.counts is not None and i.counts.models > 1]
    ours = {i.title for i in families if "our rule, every site of up to 4 URLs" in i.title}
    expected = {
        f"our rule, every site of up to 4 URLs, {roots}, budget {limit}{workers}"
        for roots in ("one root (2,709 classes of 14,867 sites)", "two roots (3,948 classes of 14,866 sites)")
        for limit in (0, 1, 2)
        for workers in ("", ", 1 worker")
    }
    assert expected <= ours
    assert {i.counts.models for i in families if i.counts and i.title in expected} == {2_709, 3_948}
    chapters = {i.title for i in families if "chapter" in i.title}
    assert chapters == {
        "the chapter's rule, every site of up to 4 URLs, one root (2,709 classes of 14,867 sites), budget 1",
        "the chapter's rule, every site of up to 3 URLs, two roots (120 classes of 225 sites), budget 1",
    }
    assert [sum(1 for _ in universe(size)) for size in (1, 2, 3, 4)] == [1, 9, 216, 14_641]
    assert [sum(1 for _ in universe(size, oddities=True)) for size in (1, 2, 3)] == [4, 49, 1_728]


def test_every_loop_of_the_manifest_is_held_against_the_crawl() -> None:
    assert all(i.refines is not None for i in CRAWL_FIFO if isinstance(i, Holds))


@pytest.mark.parametrize(("size", "roots"), [(2, 2), (3, 1), (3, 2), (4, 1), (4, 2)])
def test_the_classes_of_sites_partition_the_universe(size: int, roots: int) -> None:
    names = renamings(size, roots)
    assert len(names) + 1 == factorial(roots) * factorial(size - roots)
    members = [
        {shape, *(tuple(renamed(shape[old], new) for old in inverse(new)) for new in names)}
        for shape in classes(size, roots)
    ]
    assert sum(map(len, members)) == len(set().union(*members)) == len(list(universe(size)))
