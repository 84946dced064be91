"""A limit on depth: the result is the specification's under every schedule, because the shortest path always counts."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier, Offer
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect
from spec.crawl import AnswerKind, Const, Crawl
from spec.crawl.depth import Resources, least_with_depth
from spec.crawl.sites import site
from spec.crawl.specification import Url
from spec.kit.core import Map
from spec.kit.model import Model

from ...refinement.machines.crawl import models

#: The smallest site without redirects where the result depends on the schedule if the first discovery fixes a depth.
DIAMOND = site({0: (1, 2), 1: (3,), 2: (4,), 3: (4,), 4: (5,)}, {})
#: The same through redirects, and a page that is reopened twice.
HOPS = site({0: (1, 2), 1: (3,), 3: (4,), 5: (6,)}, {2: 4, 4: 5}, limit=2)


class FrontierFixesDepth(Frontier):
    """Wrong: the first discovery of a URL fixes its depth, as Scrapy and colly do."""

    def join(self, offers: Iterable[Offer]) -> list[str]:
        return super().join((url, budget, self.depth.get(url, depth)) for url, budget, depth in offers)


def name(u: int) -> str:
    return f"http://a.test/{u}"


def outcome(k: Const, url: str) -> Outcome:
    u = Url(int(url.rpartition("/")[2]))
    match k.kind[u]:
        case AnswerKind.PAGE:
            return Page(tuple(map(name, sorted(k.links[u]))))
        case AnswerKind.REDIRECT:
            return Redirect(name(k.hop[u]))
    return FetchFailure("status", 404)


def begun(k: Const, depth: int, make: type[Frontier] = Frontier) -> Frontier:
    frontier = make(k.limit, depth_max=depth)
    for root in sorted(k.roots):
        frontier.offer(name(root), k.limit)
    return frontier


Result = dict[str, tuple[int, int]]


def result(frontier: Frontier) -> Result:
    assert sorted(frontier.outcomes) == sorted(frontier.best)
    return {url: (budget, frontier.depth[url]) for url, budget in frontier.best.items()}


def expected(k: Const, depth: int) -> Result:
    return {name(u): value for u, value in least_with_depth(k, depth).items() if value is not None}


def all_results(k: Const, frontier: Frontier) -> Iterator[Result]:
    if frontier.idle:
        yield result(frontier)
    for url in frontier.queued:
        after = deepcopy(frontier)
        after.start(url)
        after.complete(url, outcome(k, url))
        yield from all_results(k, after)


@pytest.mark.parametrize("depth", range(6))
@pytest.mark.parametrize("k", [DIAMOND, HOPS], ids=["links", "redirects"])
def test_every_order_ends_in_the_result_of_the_specification(k: Const, depth: int) -> None:
    """CRAWL-6."""
    found = list(all_results(k, begun(k, depth)))
    assert found
    assert all(each == expected(k, depth) for each in found)


def test_the_first_discovery_has_two_results() -> None:
    found = list(all_results(DIAMOND, begun(DIAMOND, 3, FrontierFixesDepth)))
    assert {name(5) in each for each in found} == {True, False}
    assert name(5) in expected(DIAMOND, 3)


@given(models(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_a_random_site_has_that_result(model: Model[Const, Crawl], depth: int, chance: Random) -> None:
    """With fetches that overlap: a shorter path may be found while a URL is in flight."""
    k = model.k
    frontier = begun(k, depth)
    while not frontier.idle:
        url = chance.choice((*frontier.queued, *frontier.in_flight))
        if url in frontier.queued:
            frontier.start(url)
        else:
            frontier.complete(url, outcome(k, url))
    assert result(frontier) == expected(k, depth)


def with_resources(k: Const, chance: Random) -> Resources:
    pages = [u for u in sorted(k.urls) if k.kind[u] == AnswerKind.PAGE]
    urls = sorted(k.urls)
    return Map({u: frozenset(chance.sample(urls, chance.randint(0, min(2, len(urls))))) for u in pages})


@given(models(), st.one_of(st.none(), st.integers(0, 3)), st.randoms(use_true_random=False))
def test_resources_are_not_searched(model: Model[Const, Crawl], depth: int | None, chance: Random) -> None:
    k = model.k
    resources = with_resources(k, chance)
    frontier = Frontier(k.limit, depth_max=depth)
    for root in sorted(k.roots):
        frontier.offer(name(root), k.limit)
    while not frontier.idle:
        url = chance.choice(frontier.queued)
        frontier.start(url)
        found = outcome(k, url)
        if isinstance(found, Page):
            u = Url(int(url.rpartition("/")[2]))
            found = replace(found, resources=tuple(map(name, sorted(resources[u]))))
        frontier.complete(url, found)
    most = len(k.urls) if depth is None else depth
    least = {name(u): value for u, value in least_with_depth(k, most, resources).items() if value is not None}
    assert frontier.best == {url: budget for url, (budget, _) in least.items()}
    if depth is not None:
        assert result(frontier) == least


def test_a_resource_that_is_also_a_link_is_searched() -> None:
    k = site({0: (1,), 2: (3,)}, {})
    for order in ((1, 2), (2, 1)):
        frontier = begun(k, 3)
        pages = [Page((name(1),), resources=(name(2),)), Page((name(2),)), Page((name(3),)), Page(())]
        for u in (0, *order, 3):
            frontier.start(name(u))
            frontier.complete(name(u), pages[u])
        assert frontier.depth == {name(0): 0, name(1): 1, name(2): 2, name(3): 3}


def test_the_greatest_and_the_least_limit() -> None:
    k = DIAMOND
    assert expected(k, len(k.urls)).keys() == {name(u) for u in k.urls}
    k = site({1: (2,)}, {0: 1}, limit=1)
    assert expected(k, 0) == {name(0): (1, 0), name(1): (0, 0)}


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="the depth must be 0 or more, not -1"):
        CrawlConfig(("http://a.test/",), depth=-1)
