"""Crawls with one known error each: the check must find it, at a known depth.

Theory of operation.  A specification that nothing can break says nothing.  Each derives from a text without one or
two actions and puts a wrong one in their place, often the right one with its result spoilt.  The errors are ones that
real crawlers had.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import crawl as crawls
from ..crawl import Crawl, Kind, Phase, Url, Worker
from ..kit.core import Spec

forgetful = Spec(
    "crawl: fetched redirects pass nothing on", Crawl, crawls.crawl, without=("page", "redirect")
)


@forgetful.action(fair=True)
def page_forgets(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: a larger budget stops at a redirect that was fetched."""
    if (w, u) in s.flight and k.kind[u] == Kind.PAGE:
        best = s.best | {v: k.limit for v in k.links[u]}
        yield crawls.complete(k, s, w, u, best)


@forgetful.action(fair=True)
def redirect_forgets(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-3: Wrong: a larger budget stops at a redirect that was fetched."""
    if (w, u) in s.flight and k.kind[u] == Kind.REDIRECT:
        n = s.best[u] - 1
        best = s.best | ({k.hop[u]: n} if n > s.best[k.hop[u]] else {})
        yield crawls.complete(k, s, w, u, best)


early_budget = Spec("crawl: the budget is read when a fetch starts", Crawl, crawls.crawl, without=("page",))


@early_budget.action(fair=True)
def page_skips_flights(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: an offer does not reach what is in flight, which keeps the budget that it started with."""
    if (w, u) in s.flight and k.kind[u] == Kind.PAGE:
        targets = frozenset({v for v in k.links[u] if not crawls.flies(k, s, v)})
        yield crawls.complete(k, s, w, u, crawls.offer(k, s, targets, k.limit))


early_done = Spec(
    "crawl: a page is reported done before its links are queued", Crawl, crawls.crawl, without=("page",)
)


@early_done.action(fair=True)
def page_done_first(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: the last report releases the join although it brings links."""
    for q in crawls.page(k, s, w, u):
        yield q if s.todo | q.flight else replace(q, phase=Phase.JOINED)
