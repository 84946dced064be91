"""The machine of the frontier, made from the crawl's specification; and all schedules of small sites.

The specification defines the effects of starts and answers.  Every field of its state is visible in a frontier, so a
wrong schedule shows at once.  Additional rules check promises of the class alone: offering a known URL again changes
nothing, and an invalid call raises and changes nothing.  The sites are the small ones on which schedules matter, and
drawn ones with few links, because links hide the effects of redirects.

`final_results` is the exhaustive form, for sites of a few URLs: all schedules of one site, with that many workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Final

import hypothesis.strategies as st
from hypothesis.stateful import rule

from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, canonical
from impl.web.serving.site import Site
from spec.crawl import AnswerKind, Const, Crawl, crawl_model
from spec.crawl.bounded import DIAMOND, TWO_ROOTS, star
from spec.crawl.sites import Answer, constants
from spec.kit.model import Model

from ...crawls.oracle import outcome
from .crawl import FrontierAdapter, frontier_adapter
from .generated import SpecMachine, machine

SITES: Final = (DIAMOND, replace(TWO_ROOTS, first_wins=False), star(5, 2))
URLS_MOST, LINKS_MOST, LIMIT_MOST, WORKERS_MOST = 6, 3, 3, 3
UNHEARD_OF: Final = "http://a.test/unheard-of"


@st.composite
def models(draw: st.DrawFn) -> Model[Const, Crawl]:
    """A crawl of a small site, with one root or two."""
    size = draw(st.integers(1, URLS_MOST))
    url = st.integers(0, size - 1)
    answer: dict[AnswerKind, st.SearchStrategy[Answer]] = {
        AnswerKind.PAGE: st.sets(url, max_size=LINKS_MOST).map(
            lambda links: (AnswerKind.PAGE, tuple(sorted(links)))
        ),
        AnswerKind.REDIRECT: url.map(lambda target: (AnswerKind.REDIRECT, (target,))),
        AnswerKind.ERROR: st.just((AnswerKind.ERROR, ())),
    }
    shape = tuple(draw(st.sampled_from(list(AnswerKind)).flatmap(answer.__getitem__)) for _ in range(size))
    roots = draw(st.integers(1, min(2, size)))
    limit, workers = draw(st.integers(0, LIMIT_MOST)), draw(st.integers(1, WORKERS_MOST))
    return crawl_model(constants(shape, roots=roots, limit=limit, workers=workers))


def known(self: FrontierRules) -> st.SearchStrategy[tuple[str, int]]:
    """A URL that is known, and no more than its budget."""
    best = st.sampled_from(list(self.by.frontier.best.items()))
    return best.flatmap(lambda pair: st.tuples(st.just(pair[0]), st.integers(0, pair[1])))


class FrontierRules(SpecMachine):
    """The promises of a frontier that its specification does not contain."""

    @property
    def by(self) -> FrontierAdapter:
        assert isinstance(self.adapter, FrontierAdapter)
        return self.adapter

    @rule(offer=st.runner().flatmap(known))
    def offer_again(self, offer: tuple[str, int]) -> None:
        before = _state(self.by.frontier)
        assert self.by.frontier.offer(*offer) == []
        assert _state(self.by.frontier) == before

    @rule(url=st.runner().flatmap(lambda self: st.sampled_from([*self.by.names.values(), UNHEARD_OF])))
    def misuse(self, url: str) -> None:
        """A URL that is not queued cannot start, one not in flight cannot complete, no budget is out of range."""
        frontier, answer = self.by.frontier, outcome(self.by.site, url)
        before = _state(frontier)
        assert url in frontier.queued or _refused(lambda: frontier.start(url))
        assert url in frontier.in_flight or _refused(lambda: frontier.complete(url, answer))
        assert _refused(lambda: frontier.offer(url, frontier.limit + 1))
        assert _refused(lambda: frontier.offer(url, -1))
        assert _state(frontier) == before


def frontier_machine(new: type[Frontier] = Frontier) -> type[SpecMachine]:
    """The machine of one class of frontier: the real one, or a mutant."""
    return machine(list(map(crawl_model, SITES)), frontier_adapter(new), more=models(), base=FrontierRules)


def crawled(site: Site, choose: Callable[[int], int], make: type[Frontier] = Frontier) -> Frontier:
    """The frontier at the end of a crawl; the next offer of a root, start or completion is drawn from `choose`."""
    frontier = make(site.limit)
    roots = list(site.roots)
    announced: list[str] = []
    while roots or not frontier.idle:
        urls = (*roots[:1], *frontier.queued, *frontier.in_flight)
        number = choose(len(urls))
        if roots and number == 0:
            announced += frontier.offer(roots.pop(0), site.limit)
        elif (url := urls[number]) in frontier.queued:
            frontier.start(url)
        else:
            announced += frontier.complete(url, outcome(site, url))
    assert sorted(announced) == sorted(frontier.best)
    return frontier


def expected_cut(site: Site, rows: list[Record]) -> list[tuple[str, str]]:
    """The redirects without budget to a target outside of the result, from the site and the oracle's rows."""
    fetched = {row.url for row in rows}
    ends = ((row.url, row.target) for row in rows if row.budget == 0)
    return [(url, target) for url, target in ends if target is not None and target not in fetched]


def final_results(site: Site, make: type[Frontier] = Frontier, workers: int = 2) -> list[list[Record]]:
    """The canonical results of all schedules of a crawl of `site`, each once.

    At most `workers` URLs are in flight; any queued one may be started next, any in flight may complete.
    """
    outcome_of = cache(partial(outcome, site))
    first = make(site.limit)
    for root in site.roots:
        first.offer(root, site.limit)

    def successors(frontier: Frontier) -> Iterator[Frontier]:
        for url in frontier.in_flight:
            after = _copy(frontier)
            after.complete(url, outcome_of(url))
            yield after
        if len(frontier.in_flight) < workers:
            for url in frontier.queued:
                after = _copy(frontier)
                after.start(url)
                yield after

    seen = {_state(first)}
    todo = [first]
    results: list[list[Record]] = []
    while todo:
        frontier = todo.pop()
        if frontier.idle and (result := canonical(frontier)) not in results:
            results.append(result)
        for after in successors(frontier):
            if (state := _state(after)) not in seen:
                seen.add(state)
                todo.append(after)
    return results


def _state(frontier: Frontier) -> object:
    """All that a frontier remembers, without the order of its history."""
    return frozenset(
        (name, frozenset(value.items()) if isinstance(value, dict) else value)
        for name, value in vars(frontier).items()
    )


def _copy(frontier: Frontier) -> Frontier:
    """An independent frontier in the same state; a mutant's own fields go with it."""
    twin = type(frontier)(frontier.limit, frontier.allows)
    vars(twin).update((k, dict(v) if isinstance(v, dict) else v) for k, v in vars(frontier).items())
    return twin


def _refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except ValueError:
        return True
    return False
