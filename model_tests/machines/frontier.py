"""The state machine of the frontier: any order of offers, starts and completions, against the least fixpoint.

Theory of operation.  Hypothesis draws a site.  The rules are what a crawler may do and what it may not:
offer a root or a link again, start any queued URL, complete any that is in flight, and calls that are
invalid, which must raise and change nothing.  After each step what is visible must be in order: each URL in
one place, each fetched once, and no budget above that of the least fixpoint (CRAWL-1, CRAWL-6).  At the end
the machine completes all that is left, in an order drawn too, and the result must *be* the least fixpoint:
the oracle's, which knows no frontier.

`final_results` is the exhaustive form, for sites of a few URLs: all schedules of one site, with that many
workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import ClassVar

import hypothesis.strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, canonical
from impl.web.site import Moved, Site

from ..arms.oracle import oracle, outcome
from ..arms.sites import draw, urls_of


class FrontierMachine(RuleBasedStateMachine):
    """One frontier on one site; `frontier_machine` says which class of frontier."""

    make: ClassVar[type[Frontier]] = Frontier

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        site = draw(lambda n: data.draw(st.integers(0, n - 1)) if n > 1 else 0)
        self.site = site
        self.expected = oracle(site)
        self.bound = {row.url: row.budget for row in self.expected}
        self.waiting_roots = list(site.roots)
        self.frontier = self.make(site.limit)
        self.announced: list[str] = []

    @precondition(lambda self: self.waiting_roots)
    @rule()
    def offer_root(self) -> None:
        self.announced += self.frontier.offer(self.waiting_roots.pop(0), self.site.limit)

    @precondition(lambda self: self.frontier.queued)
    @rule(data=st.data())
    def start(self, data: st.DataObject) -> None:
        self.frontier.start(data.draw(st.sampled_from(self.frontier.queued)))

    @precondition(lambda self: self.frontier.in_flight)
    @rule(data=st.data())
    def complete(self, data: st.DataObject) -> None:
        url = data.draw(st.sampled_from(self.frontier.in_flight))
        self.announced += self.frontier.complete(url, outcome(self.site, url))

    @precondition(lambda self: self.frontier.best)
    @rule(data=st.data())
    def offer_again(self, data: st.DataObject) -> None:
        """No more than what is known already: nothing may change."""
        url = data.draw(st.sampled_from(list(self.frontier.best)))
        budget = data.draw(st.integers(0, self.frontier.best[url]))
        before = _state(self.frontier)
        assert self.frontier.offer(url, budget) == []
        assert _state(self.frontier) == before

    @rule(data=st.data())
    def misuse(self, data: st.DataObject) -> None:
        """What is not queued cannot start, what is not in flight cannot complete, no budget is out of range."""
        url = data.draw(st.sampled_from([*urls_of(self.site), "http://a.test/unheard-of"]))
        frontier = self.frontier
        before = _state(frontier)
        if url not in frontier.queued:
            assert _refused(lambda: frontier.start(url))
        if url not in frontier.in_flight:
            assert _refused(lambda: frontier.complete(url, outcome(self.site, url)))
        assert _refused(lambda: frontier.offer(url, frontier.limit + 1))
        assert _refused(lambda: frontier.offer(url, -1))
        assert _state(frontier) == before

    @invariant()
    def each_url_is_in_one_place(self) -> None:
        """CRAWL-1: known = queued + in flight + done, and each was announced once."""
        frontier = self.frontier
        places = [*frontier.queued, *frontier.in_flight, *frontier.outcomes]
        assert sorted(places) == sorted(frontier.best) == sorted(self.announced)
        assert frontier.idle == (len(frontier.outcomes) == len(frontier.best))

    @invariant()
    def no_budget_is_too_good(self) -> None:
        """CRAWL-6, soundness: at any time what is known is below the least fixpoint."""
        assert all(budget <= self.bound.get(url, -1) for url, budget in self.frontier.best.items())

    def teardown(self) -> None:
        """CRAWL-6, completeness: whatever is done first, the end is the least fixpoint."""
        if not hasattr(self, "frontier"):  # the run was given up before it had a site
            return
        while self.waiting_roots:
            self.offer_root()
        while not self.frontier.idle:
            self.each_url_is_in_one_place()  # and so this loop ends, even if the frontier is wrong
            for url in self.frontier.queued:
                self.frontier.start(url)
            url = self.frontier.in_flight[-1]
            self.announced += self.frontier.complete(url, outcome(self.site, url))
        assert canonical(self.frontier) == self.expected
        assert self.frontier.cut() == expected_cut(self.site, self.expected)


def frontier_machine(make: type[Frontier]) -> type[FrontierMachine]:
    """The machine of one class of frontier: the real one, or a specimen of the museum."""
    return type(f"{make.__name__}Machine", (FrontierMachine,), {"make": make})


def expected_cut(site: Site, rows: list[Record]) -> list[tuple[str, str]]:
    """The redirects without budget whose target is no part of the result, from the site and the oracle's rows."""
    fetched = {row.url for row in rows}
    ends = ((row.url, site.resources.get(row.url)) for row in rows if row.budget == 0)
    return [
        (url, resource.target)
        for url, resource in ends
        if isinstance(resource, Moved) and resource.target not in fetched
    ]


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
    """All that a frontier remembers, without the order in which it came about."""
    return frozenset(
        (name, frozenset(value.items()) if isinstance(value, dict) else value)
        for name, value in vars(frontier).items()
    )


def _copy(frontier: Frontier) -> Frontier:
    """An independent frontier in the same state; a specimen's own fields go with it."""
    twin = type(frontier)(frontier.limit, frontier.allows)
    vars(twin).update((k, dict(v) if isinstance(v, dict) else v) for k, v in vars(frontier).items())
    return twin


def _refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except ValueError:
        return True
    return False
