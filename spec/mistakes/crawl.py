"""Crawls with one known error each: the check must find it, at a known depth.

Theory of operation.  A specification that nothing can break says nothing.  Each derives from the text with a wrong
action in the place of the right one, often the right one with its result spoilt.  Some are errors that real crawlers
had; the others break what only this text says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..crawl import Const, Crawl, Kind, Phase, Url, Worker, complete, crawl, flies, offer, page, start
from ..kit.core import Spec
from ..kit.instance import spoilt


def page_forgets(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: a larger budget stops at a redirect that was fetched."""
    if (w, u) in s.flight and k.kind[u] == Kind.PAGE:
        yield complete(k, s, w, u, s.best | {v: k.limit for v in k.links[u]})


def redirect_forgets(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-3: Wrong: a larger budget stops at a redirect that was fetched."""
    if (w, u) in s.flight and k.kind[u] == Kind.REDIRECT:
        n = s.best[u] - 1
        yield complete(k, s, w, u, s.best | ({k.hop[u]: n} if n > s.best[k.hop[u]] else {}))


def page_skips_flights(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: an offer does not reach what is in flight, which keeps the budget that it started with."""
    if (w, u) in s.flight and k.kind[u] == Kind.PAGE:
        targets = frozenset({v for v in k.links[u] if not flies(k, s, v)})
        yield complete(k, s, w, u, offer(k, s, targets, k.limit))


def page_done_first(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: the last report releases the join although it brings links."""
    for q in page(k, s, w, u):
        yield q if s.todo | q.flight else replace(q, phase=Phase.JOINED)


def page_not_queued(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: the links are known, and not queued."""
    for q in page(k, s, w, u):
        yield replace(q, todo=s.todo)


def page_queued_again(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: the page itself is queued again."""
    for q in page(k, s, w, u):
        yield replace(q, todo=q.todo | {u})


def redirect_for_free(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-3: Wrong: a redirect costs nothing."""
    if (w, u) in s.flight and k.kind[u] == Kind.REDIRECT:
        yield complete(k, s, w, u, offer(k, s, frozenset({k.hop[u]}), s.best[u]))


def redirect_overwrites(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-3: Wrong: the target's budget is replaced, though it was larger."""
    if (w, u) in s.flight and k.kind[u] == Kind.REDIRECT:
        yield complete(k, s, w, u, s.best | {k.hop[u]: s.best[u] - 1})


def fail_and_try_again(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-5: Wrong: what fails is queued again, without end."""
    if (w, u) in s.flight and k.kind[u] == Kind.ERROR:
        yield replace(s, todo=s.todo | {u}, flight=s.flight - {(w, u)})


def start_still_queued(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: what is fetched stays in the queue."""
    for q in start(k, s, w, u):
        yield replace(q, todo=s.todo)


def cancel_any_time(k: Const, s: Crawl, w: Worker) -> Iterator[Crawl]:
    """CRAWL-12: Wrong: a worker may be cancelled before the join."""
    if s.phase != Phase.CLOSED and w in s.alive:
        yield replace(s, alive=s.alive - {w})


def page_perhaps(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: a page need never arrive."""
    yield from page(k, s, w, u)


forgetful = spoilt(crawl, "fetched redirects pass nothing on", page=page_forgets, redirect=redirect_forgets)
early_budget = spoilt(crawl, "the budget is read when a fetch starts", page=page_skips_flights)
early_done = spoilt(crawl, "a page is reported done before its links are queued", page=page_done_first)
lossy = spoilt(crawl, "links are known, and not queued", page=page_not_queued)
greedy = spoilt(crawl, "a page is queued again", page=page_queued_again)
free = spoilt(crawl, "a redirect costs nothing", redirect=redirect_for_free)
careless = spoilt(crawl, "a redirect replaces a larger budget", redirect=redirect_overwrites)
stubborn = spoilt(crawl, "what fails is tried again without end", fail=fail_and_try_again)
doubled = spoilt(crawl, "what is fetched stays in the queue", start=start_still_queued)
hasty = spoilt(crawl, "a worker is cancelled before the join", cancel=cancel_any_time)

patient: Spec[Const, Crawl] = Spec("crawl: a page need never arrive", Crawl, crawl, without=("page",))
patient.action()(page_perhaps)
