"""The chapter's loop: workers around a FIFO join queue, and a main task that joins it and then cancels them.

This specification is finer than the crawl.  An answer is handled in one step, which puts new URLs into the queue and
wakes workers that wait there, and is reported done in a later one.  A worker that was woken checks the queue when it
runs, and another may have been faster.  The last report releases the main task, which runs later; a worker that it
cancels unwinds later still.  A step is the run of a task between two awaits.

The state of a URL, and the effect of its answer, are the crawl's (`answered`), under the chapter's rule or ours.
The specification refines the crawl: every step, seen through `view`, is a step of the crawl or none, so every rule of
the crawl holds here and is not repeated.  Nor are the rules of the queue: here are those of its use by these workers.

Every rule ends with [source; standing], as in the crawl; "asyncio.Queue" is the documentation of CPython 3.15.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ..kit.core import Map, Spec, replace
from .specification import Const, Crawl, Phase, Url, Worker, crawl, fail, page, redirect


class At(StrEnum):
    """Where a worker is."""

    READY = "ready"  # it runs soon, and checks the queue: it is new, or was woken
    WAIT = "wait"  # in get
    FETCH = "fetch"
    REPORT = "report"  # it has handled the answer, and reports it done next
    CANCELLED = "cancelled"  # and has not run since
    GONE = "gone"


class Main(StrEnum):
    """Where the main task is."""

    JOIN = "join"
    WOKEN = "woken"  # the join is released
    CLOSING = "closing"  # it has cancelled the workers
    OVER = "over"


@dataclass(frozen=True)
class FifoCrawl:
    """The state of the frontier (`best`, `done`), of the queue (`items` to `getters`) and of the tasks.

    `best`, `flight`, `done` and `fetches` are as in the crawl.  `getters`: the workers that wait, the oldest first.
    """

    best: Map[Url, int]
    done: frozenset[Url]
    items: tuple[Url, ...]
    unfinished: int
    getters: tuple[Worker, ...]
    at: Map[Worker, At]
    flight: frozenset[tuple[Worker, Url]]
    fetches: Map[Url, int]
    main: Main


crawl_fifo: Spec[Const, FifoCrawl] = Spec(
    "crawl_fifo",
    FifoCrawl,
    opaque={
        "spread": crawl.opaque["spread"],
        "view": "it makes a state of the crawl out of nothing",
        "put_all": "it recurs over the URLs; the items afterwards are those before, then the URLs in any order",
        "begins": "it slices a tuple at any length",
    },
    universe=crawl.universe,
)


def view(k: Const, s: FifoCrawl) -> Crawl:
    """The state of the crawl that a state here means: it is joined as soon as nothing is queued or in flight."""
    phase = Phase.CLOSED if s.main == Main.OVER else Phase.RUN if s.items or s.flight else Phase.JOINED
    alive = frozenset({w for w in k.workers if s.at[w] != At.GONE})
    return Crawl(s.best, frozenset(s.items), s.flight, s.done, s.fetches, alive, phase)


def answered(k: Const, s: FifoCrawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """The crawl after the answer of u, by the action that applies."""
    q = view(k, s)
    yield from page(k, q, w, u)
    yield from redirect(k, q, w, u)
    yield from fail(k, q, w, u)


def put(s: FifoCrawl, u: Url) -> FifoCrawl:
    """u goes to the end of the queue, and the worker that has waited longest is woken."""
    return replace(
        s,
        items=s.items + (u,),
        unfinished=s.unfinished + 1,
        at=s.at | {w: At.READY for w in s.getters[:1]},
        getters=s.getters[1:],
    )


def put_all(s: FifoCrawl, urls: frozenset[Url]) -> Iterator[FifoCrawl]:
    """Every order of putting these, one by one: the links of a page are a set."""
    if urls == frozenset():
        yield s
    for u in urls:
        yield from put_all(put(s, u), urls - {u})


def look(s: FifoCrawl, w: Worker) -> FifoCrawl:
    """w takes the oldest item and fetches it, or waits for one."""
    if len(s.items) > 0:
        return replace(
            s,
            items=s.items[1:],
            at=s.at | {w: At.FETCH},
            flight=s.flight | {(w, u) for u in s.items[:1]},
            fetches=s.fetches | {u: s.fetches[u] + 1 for u in s.items[:1]},
        )
    return replace(s, at=s.at | {w: At.WAIT}, getters=s.getters + (w,))


def begins(items: tuple[Url, ...], head: tuple[Url, ...]) -> bool:
    """Whether `head` is the beginning of `items`."""
    return items[: len(head)] == head


@crawl_fifo.init
def seeded(k: Const, s: FifoCrawl) -> bool:
    """FIFO-1: At first the queue holds the roots, in any order; the workers have not run, the main task joins.
    [the chapter, Crawler.__init__ and Crawler.crawl; documented]"""
    return (
        all(s.best[u] == (k.limit if u in k.roots else -1) and s.fetches[u] == 0 for u in k.urls)
        and all(sum(1 for v in s.items if v == u) == (1 if u in k.roots else 0) for u in k.urls)
        and all(u not in s.done and all((w, u) not in s.flight for w in k.workers) for u in k.urls)
        and all(s.at[w] == At.READY for w in k.workers)
        and (s.unfinished == len(s.items) and s.getters == () and s.main == Main.JOIN)
    )


@crawl_fifo.action(fair=True, changes="items at[w] getters flight fetches")
def turn(k: Const, s: FifoCrawl, w: Worker) -> Iterator[FifoCrawl]:
    """FIFO-2: A new worker, or one that was woken, takes the oldest URL, or waits (again): another may have been
    faster.
    [the chapter, Crawler.work; documented]"""
    if s.at[w] == At.READY:
        yield look(s, w)


@crawl_fifo.action(fair=True, changes="best done[u] flight at items unfinished getters")
def arrive(k: Const, s: FifoCrawl, w: Worker, u: Url) -> Iterator[FifoCrawl]:
    """FIFO-3: An answer arrives: the URLs that it makes known are put into the queue, a page's links in any order.
    [the chapter, Crawler.fetch; documented]"""
    for q in answered(k, s, w, u):
        yield from put_all(
            replace(s, best=q.best, done=q.done, flight=q.flight, at=s.at | {w: At.REPORT}),
            frozenset({v for v in k.urls if s.best[v] == -1 and q.best[v] >= 0}),
        )


@crawl_fifo.action(fair=True, changes="unfinished main items at[w] flight fetches getters")
def report(k: Const, s: FifoCrawl, w: Worker) -> Iterator[FifoCrawl]:
    """FIFO-4: A worker reports its URL done, the last report releases the join, and the worker checks the queue at
    once.
    [the chapter, Crawler.work; documented]"""
    if s.at[w] == At.REPORT:
        n = s.unfinished - 1
        yield look(replace(s, unfinished=n, main=Main.WOKEN if n == 0 else s.main), w)


@crawl_fifo.action(fair=True, changes="main at getters")
def close(k: Const, s: FifoCrawl) -> Iterator[FifoCrawl]:
    """FIFO-5: The main task, released, cancels every worker.  [the chapter, Crawler.crawl; documented]"""
    if s.main == Main.WOKEN:
        yield replace(s, main=Main.CLOSING, at=s.at | {w: At.CANCELLED for w in k.workers}, getters=())


@crawl_fifo.action(fair=True, changes="at[w]")
def unwind(k: Const, s: FifoCrawl, w: Worker) -> Iterator[FifoCrawl]:
    """FIFO-6: A cancelled worker leaves.  It has no wake-up to pass on, because the queue is empty.
    [asyncio.Task.cancel; documented]"""
    if s.at[w] == At.CANCELLED:
        yield replace(s, at=s.at | {w: At.GONE})


@crawl_fifo.action(fair=True, changes="main")
def end(k: Const, s: FifoCrawl) -> Iterator[FifoCrawl]:
    """FIFO-7: With every worker gone, the main task is over.  [the crawl, CRAWL-13; defined]"""
    if s.main == Main.CLOSING and all(s.at[w] == At.GONE for w in k.workers):
        yield replace(s, main=Main.OVER)


@crawl_fifo.invariant
def every_worker_in_one_place(k: Const, s: FifoCrawl) -> bool:
    """FIFO-8: A waiting worker is in the line, once; a fetching worker fetches one URL; no other worker does either.
    [the meaning of this specification's state; defined]"""
    return all(
        sum(1 for v in s.getters if v == w) == (1 if s.at[w] == At.WAIT else 0)
        and sum(1 for u in k.urls if (w, u) in s.flight) == (1 if s.at[w] == At.FETCH else 0)
        for w in k.workers
    )


@crawl_fifo.invariant
def unfinished_items_are_counted(k: Const, s: FifoCrawl) -> bool:
    """FIFO-9: Every unfinished item is in the queue, or with a worker that fetches it or is to report it.
    [asyncio.Queue.join, "The count of unfinished tasks"; documented]"""
    return s.unfinished == len(s.items) + sum(1 for w in k.workers if s.at[w] == At.FETCH or s.at[w] == At.REPORT)


@crawl_fifo.invariant
def main_joins_while_unfinished(k: Const, s: FifoCrawl) -> bool:
    """FIFO-10: The main task joins exactly as long as something is unfinished.
    [asyncio.Queue.join, "When the count of unfinished tasks drops to zero, join() unblocks"; documented]"""
    return (s.main == Main.JOIN) == (s.unfinished > 0)


@crawl_fifo.invariant
def no_lost_worker(k: Const, s: FifoCrawl) -> bool:
    """FIFO-11: While a worker waits, every item in the queue has another that runs soon.
    [asyncio.Queue.get, "wait until an item is available"; documented]"""
    return s.getters == () or len(s.items) <= sum(1 for w in k.workers if s.at[w] == At.READY)


@crawl_fifo.invariant
def workers_cancelled_after_join(k: Const, s: FifoCrawl) -> bool:
    """FIFO-12: The workers are cancelled all at once, when the main task has run after the join, and not before.
    [the chapter, Crawler.crawl; documented]"""
    return all(
        (s.at[w] == At.CANCELLED or s.at[w] == At.GONE) == (s.main == Main.CLOSING or s.main == Main.OVER)
        for w in k.workers
    )


@crawl_fifo.step
def in_turn(k: Const, s: FifoCrawl, t: FifoCrawl) -> bool:
    """FIFO-13: Items leave the queue at its head, one at a time, and come to its end.
    [asyncio.Queue, "A first in, first out (FIFO) queue"; documented]"""
    return begins(t.items, s.items) or t.items == s.items[1:]


def running(k: Const, s: FifoCrawl) -> bool:
    """Whether the main task is not over."""
    return s.main != Main.OVER


@crawl_fifo.leads_to(running)
def main_task_ends(k: Const, s: FifoCrawl) -> bool:
    """FIFO-14: The main task ends, if the actions are fair.
    [the chapter, Crawler.crawl, "Run the crawler until all work is done"; documented]"""
    return s.main == Main.OVER
