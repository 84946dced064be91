"""The adapter of frontiers: one frontier that crawls the site of a model.

The site of the constants becomes one that can be served; its URLs are named by their numbers.  The adapter performs
the workers' calls on the frontier, which knows no workers.  The cancel of the workers and the close of the crawl are
recorded and change nothing.  The whole state of the frontier is visible.
"""

from __future__ import annotations

from collections.abc import Hashable

from impl.crawl.frontier import Frontier
from impl.web.serving.site import Broken, Html, Moved, Resource, Site
from spec.crawl import AnswerKind, Const, Crawl, Phase, Url
from spec.kit.core import Event
from spec.kit.trace import Do

from ...crawls.oracle import outcome
from .adapter import SHOWN, Adapter, Make, Record

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

    def make(k: Const, record: Record) -> Adapter:
        return FrontierAdapter(new, k, record)

    return make
