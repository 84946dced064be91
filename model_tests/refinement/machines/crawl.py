"""The adapter of frontiers, and the machine made from the crawl's specification; and all schedules of small sites.

One frontier crawls the site of a model: the site of the constants becomes one that can be served; its URLs are named
by their numbers.  The adapter performs the workers' calls on the frontier, which knows no workers.  The cancel of the
workers and the close of the crawl are recorded and change nothing.

The specification defines the effects of starts and answers.  Every field of its state is visible in a frontier, so a
wrong schedule shows at once.  Additional rules check promises of the class alone: offering a known URL again changes
nothing, and an invalid call raises and changes nothing.  The sites are the small ones on which schedules matter, and
drawn ones with few links, because links hide the effects of redirects.

`final_results` is the exhaustive form, for sites of a few URLs: all schedules of one site, with that many workers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Final

import hypothesis.strategies as st
from hypothesis.stateful import rule

from impl.crawl.frontier import Frontier
from impl.crawl.record import Record as Row
from impl.crawl.record import canonical
from impl.web.serving.site import Broken, Html, Moved, Resource, Site
from spec.crawl import AnswerKind, Const, Crawl, Phase, Url, crawl_model
from spec.crawl.bounded import DIAMOND, TWO_ROOTS, star
from spec.crawl.sites import Answer, constants
from spec.kit.core import Event
from spec.kit.model import Model
from spec.kit.trace import Do

from ...crawls.oracle import outcome
from .adapter import SHOWN, Make, Record
from .generator import SpecMachine, machine

STARTS = "start"
ANSWERS = ("page", "redirect", "fail")
LAST = ("cancel", "close")


def site_of(k: Const) -> tuple[Site, dict[str, Url]]:
    """The site of a model as one that can be served, and the numbers of its URLs."""
    names = {u: f"http://a.test/{u}" for u in sorted(k.urls)}

    def resource(u: Url) -> Resource:
        match k.kind[u]:
            case AnswerKind.PAGE:
                return Html(tuple(names[v] for v in sorted(k.links[u])))
            case AnswerKind.REDIRECT:
                return Moved(names[k.hop[u]])
            case AnswerKind.ERROR:
                return Broken()

    site = Site({names[u]: resource(u) for u in names}, tuple(names[r] for r in sorted(k.roots)), k.limit)
    return site, {name: u for u, name in names.items()}


class FrontierAdapter:
    """One frontier of class `new`, on the site of `k`."""

    def __init__(self, new: type[Frontier], k: Const, record: Record) -> None:
        self.k, self.record = k, record
        self.site, numbers = site_of(k)
        self.names: dict[Hashable, str] = {u: name for name, u in numbers.items()}
        self.frontier = new(k.limit)
        self.announced = [url for root in self.site.roots for url in self.frontier.offer(root, k.limit)]

    def knows(self, name: str) -> bool:
        return name in (STARTS, *ANSWERS, *LAST)

    def do(self, event: Event) -> None:
        self.record(Do(event))
        if event.name in LAST:
            return
        _, u = event.args
        url = self.names[u]
        if event.name == STARTS:
            self.frontier.start(url)
        else:
            self.announced += self.frontier.complete(url, outcome(self.site, url))

    def turn(self) -> None:
        """A frontier does nothing by itself."""

    def settle(self) -> None:
        """It is always at rest."""

    def see(self, s: Crawl) -> bool:
        seen = self.frontier
        return (
            {self.names[u]: n for u, n in s.best.items() if n >= 0} == seen.best
            and {self.names[u] for u in s.todo} == set(seen.queued)
            and {self.names[u] for _, u in s.flight} == set(seen.in_flight)
            and {self.names[u] for u in s.done} == set(seen.outcomes)
            and (s.phase == Phase.RUN) != seen.idle
            and sorted(self.announced) == sorted(seen.best)
            and seen.cut() == self.cut(s)
        )

    def cut(self, s: Crawl) -> list[tuple[str, str]]:
        """The redirects that are done, without a budget for a target that is not known."""
        hop = self.k.hop
        ends = (u for u in s.done if self.k.kind[u] == AnswerKind.REDIRECT and s.best[u] == 0)
        return sorted((self.names[u], self.names[hop[u]]) for u in ends if s.best[hop[u]] == -1)

    def shown(self) -> str:
        return SHOWN

    def close(self) -> None:
        """Nothing is open."""


def frontier_adapter(new: type[Frontier] = Frontier) -> Make:
    """Makes adapters of frontiers of that class."""
    return partial(FrontierAdapter, new)


SITES: Final = (DIAMOND, replace(TWO_ROOTS, first_wins=False), star(5, 2))
URLS_MOST, LINKS_MOST, LIMIT_MOST, WORKERS_MOST = 6, 3, 3, 3
UNHEARD_OF: Final = "http://a.test/unheard-of"


@st.composite
def models(draw: st.DrawFn) -> Model[Const, Crawl]:
    """A crawl of a small site, with one root or two."""
    size = draw(st.integers(1, URLS_MOST))
    url = st.integers(0, size - 1)
    answer: dict[AnswerKind, st.SearchStrategy[Answer]] = {
        AnswerKind.PAGE: st.sets(url, max_size=LINKS_MOST).map(lambda links: (AnswerKind.PAGE, tuple(sorted(links)))),
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


def expected_cut(site: Site, rows: list[Row]) -> list[tuple[str, str]]:
    """The redirects without budget to a target outside of the result, from the site and the oracle's rows."""
    fetched = {row.url for row in rows}
    ends = ((row.url, row.target) for row in rows if row.budget == 0)
    return [(url, target) for url, target in ends if target is not None and target not in fetched]


def final_results(site: Site, make: type[Frontier] = Frontier, workers: int = 2) -> list[list[Row]]:
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
    results: list[list[Row]] = []
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
        (name, frozenset(value.items()) if isinstance(value, dict) else value) for name, value in vars(frontier).items()
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
