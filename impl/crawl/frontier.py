"""The frontier: the URLs to fetch, as a pure state machine with a result that does not depend on the schedule.

1.  Each known URL has a *budget*: the number of redirects that may still be followed from it.  Roots and links of pages
    have the full budget `limit`.  The target of a redirect has one less than the redirect itself; a redirect with
    budget 0 is fetched, but its target is not.
2.  A URL may be discovered in several ways with several budgets.  The best one wins (CRAWL-2), whenever it is found.
    If the URL is still queued or in flight, only its number grows, and `complete` reads the number at completion
    (CRAWL-3).  If it was fetched already and is a redirect, the raised budget passes to its target, by the remembered
    outcome and without a second fetch (CRAWL-1, CRAWL-4).  It so passes along a chain of any length.
3.  Every step is a join in a finite lattice, and joins commute.  Hence the final state, with nothing queued or in
    flight, is the least fixpoint of the site (CRAWL-6): the same URLs, each fetched once, the same budgets, for every
    order of completions, any number of workers and any queue discipline.
4.  Each raise of a budget is strict, so a redirect cycle ends: at most URLs x (limit + 1) raises in all.
5.  With a limit on depth, each known URL also has a *depth*: the links on the shortest path from a root, where a
    redirect has no length (`spec.crawl.depth`).  It is a join, too, of the lattice where less is better: a shorter
    path that is found later passes along the remembered links of pages, and opens URLs beyond the limit.  The
    resources of a page have the depth of a *leaf*, beyond the limit: they are fetched, and nothing in them is.
6.  An error is an outcome like any other (CRAWL-5).  Every `start` must be followed by its `complete`.

The chapter (500 Lines, "A Web Crawler With asyncio Coroutines") lets the *first* discovery fix the budget for
ever; then the set of fetched URLs depends on which worker is faster.

The caller queues the URLs that `offer` and `complete` return, and calls `start` before the fetch of a URL and
`complete` after it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeAlias

from ..web.outcome import Outcome, Page, Redirect


def everything(url: str) -> bool:
    """The scope that allows every URL."""
    return True


#: A URL, the redirects that may be followed from it, and its depth.
Offer: TypeAlias = tuple[str, int, int]


class Frontier:
    """The state of one crawl; URLs are canonical strings, compared as such.

    `best` maps each known URL to its best budget so far, in order of discovery; `depth`, to its least depth (if depths
    are not counted, 0, and 1 of a leaf).  `outcomes` maps each fetched URL to its outcome, in order of completion.  All
    are read-only for callers.
    """

    def __init__(self, limit: int, allows: Callable[[str], bool] = everything, depth_max: int | None = None) -> None:
        """A frontier that knows no URL.

        Parameters:
            limit: redirects to follow from a root or a link.
            allows: a pure predicate, the scope.
            depth_max: links to follow from a root; None: any number, and depths are not counted.

        Raises:
            ValueError: a limit is negative.
        """
        if depth_max is not None and depth_max < 0:
            raise ValueError(f"the depth must be 0 or more, not {depth_max}")
        if limit < 0:
            raise ValueError(f"the redirect limit must be 0 or more, not {limit}")
        self.limit = limit
        self.allows = allows
        self.depth_max = depth_max
        self.best: dict[str, int] = {}
        self.depth: dict[str, int] = {}
        self.outcomes: dict[str, Outcome] = {}
        # Dicts as sets: their order is the order of insertion, on every Python and under every hash seed.
        self._queued: dict[str, None] = {}
        self._in_flight: dict[str, None] = {}

    @property
    def queued(self) -> tuple[str, ...]:
        """The URLs that are known and not started."""
        return tuple(self._queued)

    @property
    def in_flight(self) -> tuple[str, ...]:
        """The URLs that are started and not completed."""
        return tuple(self._in_flight)

    @property
    def idle(self) -> bool:
        """Whether nothing is queued or in flight: the crawl is over, or has not begun."""
        return not self._queued and not self._in_flight

    def offer(self, url: str, budget: int) -> list[str]:
        """Allow `url` to be fetched with `budget` redirects; return the URLs that became known, at most one.

        A raised budget of a fetched redirect passes to its target, so the new URL need not be `url` itself.

        Raises:
            ValueError: the budget is not in 0..limit; nothing has changed.
        """
        if not 0 <= budget <= self.limit:
            raise ValueError(f"a budget must be in 0..{self.limit}, not {budget}: {url}")
        return self.join([(url, budget, 0)])

    def join(self, offers: Iterable[Offer]) -> list[str]:
        """Join offers, and those that follow by remembered outcomes; return the URLs that are new.

        A part of a crawl begins with offers that the whole has found (shards.py); others use `offer` and `complete`.
        """
        todo, new = deque(offers), []
        while todo:
            url, budget, depth = todo.popleft()
            if url not in self.best:
                if self.allows(url):
                    self.best[url], self.depth[url] = budget, depth
                    self._queued[url] = None  # CRAWL-1: the one place where a URL is queued
                    new.append(url)
            elif budget > self.best[url] or depth < self.depth[url]:  # CRAWL-2: only the better changes anything
                self.best[url] = max(budget, self.best[url])
                self.depth[url] = min(depth, self.depth[url])
                todo.extend(self._follow(url))  # CRAWL-4: without a second fetch
        return new

    def start(self, url: str) -> None:
        """Record that the fetch of `url` begins: queued -> in flight.

        Raises:
            ValueError: `url` is not queued (unknown, in flight or done); nothing has changed.
        """
        if url not in self._queued:
            raise ValueError(f"cannot start a URL that is {self._standing(url)}: {url}")
        del self._queued[url]
        self._in_flight[url] = None

    def complete(self, url: str, outcome: Outcome) -> list[str]:
        """Record the outcome of `url`: in flight -> done; return the URLs that became known, in order.

        Raises:
            ValueError: `url` is not in flight (unknown, queued or done); nothing has changed.
        """
        if url not in self._in_flight:
            raise ValueError(f"cannot complete a URL that is {self._standing(url)}: {url}")
        del self._in_flight[url]
        self.outcomes[url] = outcome
        return self.join(self._follow(url))  # CRAWL-3: as it is now, not as it was at start

    def cut(self) -> list[tuple[str, str]]:
        """The redirects (URL, target), sorted, to targets that are not known because the budget was used up."""
        return sorted(
            (url, outcome.target)
            for url, outcome in self.outcomes.items()
            if isinstance(outcome, Redirect)
            and self.best[url] == 0
            and outcome.target not in self.best
            and self.allows(outcome.target)
        )

    def _follow(self, url: str) -> Iterator[Offer]:
        """The offers that follow from `url`, as it is known now; a URL that is not done and an error make none."""
        depth, most = self.depth[url], self.depth_max
        leaf = 1 if most is None else most + 1
        match self.outcomes.get(url):
            case Page(links=links, resources=resources) if depth < leaf:
                onward = links if most is None or depth < most else ()
                below = depth + (most is not None)
                return chain(
                    ((link, self.limit, below) for link in onward),
                    ((resource, self.limit, leaf) for resource in resources),
                )
            case Redirect(target) if self.best[url] > 0:
                return iter([(target, self.best[url] - 1, depth)])
        return iter(())

    def _standing(self, url: str) -> str:
        if url in self._queued:
            return "queued"
        if url in self._in_flight:
            return "in flight"
        return "done" if url in self.outcomes else "unknown"
