"""The crawl: workers fetch a static site, each URL once; redirects have budgets; errors are results; join, cancel.

The site is the constant: roots R, a budget B (`limit`), and for every URL a page with links, a redirect with a target,
or an error.  The result is the least solution of the site's equation, over -1 < 0 < ... < B where -1 means "not to be
fetched":

    x(v) = max of  B         if v is a root, or some page u with x(u) >= 0 links to v
                   x(u) - 1  for every redirect u to v with x(u) >= 1
                   -1        otherwise

The equation mentions no schedule.  The frontier computes the solution in any order: `best` is the largest budget known
for each URL.  An offer raises it, and the first offer also queues the URL.  A URL is fetched once, and its answer is
remembered (`done`), so that a later, larger budget of a redirect goes through to its target without a second fetch; the
budget of a redirect is read when its answer arrives, not when the fetch starts.  Every offer is a join in the lattice,
so the order does not matter: that is the proof of confluence, and `no_budget_too_large`, `closed_when_done` and
`done_is_least_solution` are its steps.

`first_wins` is the rule of the chapter instead: the first offer fixes the budget for ever.  With it the set of fetched
URLs depends on the schedule; the smallest sites that show it have 5 URLs (one root) or 4 (two roots).

`k.least` is the least function that is closed under the site's equation.  That it is closed is all that
`no_budget_too_large` needs; `done_is_least_solution` follows because it is below `best`, which is closed after the
join.  The proofs know of the functions `least` and `spread` only their laws (`is_least`, `is_spread`).

Every rule ends with [source; standing].  "the chapter" is "A Web Crawler With asyncio Coroutines" (500 Lines or
Less); "the equation" is the one above, which is ours: its rules are defined here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from ..kit.core import Map, Spec, replace

Worker = NewType("Worker", int)
Url = NewType("Url", int)


class AnswerKind(StrEnum):
    """The answer of a URL."""

    PAGE = "page"
    REDIRECT = "redirect"
    ERROR = "error"


class Phase(StrEnum):
    """The phase of the crawl."""

    RUN = "run"
    JOINED = "joined"  # join() has been released
    CLOSED = "closed"  # and every worker was cancelled


@dataclass(frozen=True)
class Const:
    """The constants: the site (`urls` to `hop`), how it is crawled, and the bound of the result.

    `links` is meaningful for pages, `hop` for redirects.  `least` is the least solution of the equation.
    """

    urls: frozenset[Url]
    roots: frozenset[Url]
    limit: int
    kind: Map[Url, AnswerKind]
    links: Map[Url, frozenset[Url]]
    hop: Map[Url, Url]
    workers: frozenset[Worker]
    first_wins: bool
    least: Map[Url, int]


@dataclass(frozen=True)
class Crawl:
    """The state of the frontier (`best`, `todo`, `flight`, `done`), of the workers and of the crawl.

    `best[u]` is the largest budget known for u, -1 if u is unknown.  `flight` pairs a worker with the URL it fetches.
    `fetches[u]` counts the fetches of u.
    """

    best: Map[Url, int]
    todo: frozenset[Url]
    flight: frozenset[tuple[Worker, Url]]
    done: frozenset[Url]
    fetches: Map[Url, int]
    alive: frozenset[Worker]
    phase: Phase


def equation(k: Const, x: Map[Url, int]) -> Map[Url, int]:
    """The right-hand side of the site's equation (module docstring), applied to `x`."""
    y = {v: k.limit if v in k.roots else -1 for v in sorted(k.urls)}
    for u in k.urls:
        if k.kind[u] == AnswerKind.PAGE and x[u] >= 0:
            y.update(dict.fromkeys(k.links[u], k.limit))
        elif k.kind[u] == AnswerKind.REDIRECT and x[u] >= 1:
            y[k.hop[u]] = max(y[k.hop[u]], x[u] - 1)
    return Map(y)


def least(k: Const) -> Map[Url, int]:
    """The least solution of the site's equation, by Kleene iteration from "nothing is fetched".

    Reads the site in `k` only (urls, roots, limit, kind, links, hop).  The URLs to fetch are those with 0 or more.
    """
    x = Map(dict.fromkeys(sorted(k.urls), -1))
    while (y := equation(k, x)) != x:
        x = y
    return x


def handed_on(k: Const, x: Map[Url, int], u: Url, to_links: int, to_target: int) -> bool:
    """Whether `x` has at least `to_links` for the links of a page, `to_target` for the target of a redirect."""
    if k.kind[u] == AnswerKind.PAGE and x[u] >= 0:
        return all(x[v] >= to_links for v in k.links[u])
    if k.kind[u] == AnswerKind.REDIRECT and x[u] >= 1:
        return x[k.hop[u]] >= to_target
    return True


def closed(k: Const, x: Map[Url, int]) -> bool:
    """Whether the equation, applied to `x`, gives nothing beyond `x`."""
    return all(x[r] >= k.limit for r in k.roots) and all(handed_on(k, x, u, k.limit, x[u] - 1) for u in k.urls)


def spread(k: Const, done: frozenset[Url], best: Map[Url, int]) -> Map[Url, int]:
    """The least budgets from `best` up after every redirect that is done has passed on its own, less one.

    Either of two redirects to one target may come first: a budget that is still too low rises in the next round.
    """
    raised = best | {
        k.hop[u]: best[u] - 1 for u in done if k.kind[u] == AnswerKind.REDIRECT and best[k.hop[u]] < best[u] - 1
    }
    return best if raised == best else spread(k, done, raised)


def passed_on(k: Const, done: frozenset[Url], x: Map[Url, int]) -> bool:
    """Whether in `x` every redirect that is done has passed on its budget, less one."""
    return all(k.kind[u] != AnswerKind.REDIRECT or x[k.hop[u]] >= x[u] - 1 for u in done)


def below(k: Const, x: Map[Url, int], y: Map[Url, int]) -> bool:
    return all(x[u] <= y[u] for u in k.urls)


def is_least(k: Const, x: Map[Url, int], best: Map[Url, int]) -> bool:
    """The law of `least`: it is closed, and below every closed function, such as the budgets of a state may be."""
    return closed(k, x) and all(-1 <= x[u] <= k.limit for u in k.urls) and (not closed(k, best) or below(k, x, best))


def under(k: Const, done: frozenset[Url], best: Map[Url, int], x: Map[Url, int], y: Map[Url, int]) -> bool:
    """Whether x is below y, if y is above `best` and has passed on."""
    return not below(k, best, y) or not passed_on(k, done, y) or below(k, x, y)


def is_spread(k: Const, done: frozenset[Url], best: Map[Url, int], x: Map[Url, int], least: Map[Url, int]) -> bool:
    """The law of `spread`: it is above `best`, has passed on, and is below every such function.

    Such a function may be the least solution; `best`, if it has passed on; and `best` with nothing less than one under
    the budget of a URL, because the budget passed on from there raises nothing above that.
    """
    return (
        below(k, best, x)
        and passed_on(k, done, x)
        and under(k, done, best, x, least)
        and under(k, done, best, x, best)
        and all(under(k, done, best, x, best | {u: max(best[u], best[v] - 1) for u in k.urls}) for v in k.urls)
    )


crawl: Spec[Const, Crawl] = Spec(
    "crawl",
    Crawl,
    opaque={
        "least": "it iterates to a fixpoint, which is the least closed function",
        "spread": "it recurs along redirect chains.  Three things fix its value: it is at least `best`, it is closed"
        " under the redirects that are done, and it is below every such function",
    },
    laws={"least": is_least, "spread": is_spread},
    universe={Worker: "workers", Url: "urls"},
)


def offer(k: Const, s: Crawl, targets: frozenset[Url], n: int) -> Map[Url, int]:
    """The budgets after each target was offered budget n."""
    if k.first_wins:
        return s.best | {v: n for v in targets if s.best[v] == -1}
    return spread(k, s.done, s.best | {v: n for v in targets if s.best[v] < n})


def flies(k: Const, s: Crawl, u: Url) -> bool:
    """Whether some worker fetches u."""
    return any((w, u) in s.flight for w in k.workers)


def complete(k: Const, s: Crawl, w: Worker, u: Url, best: Map[Url, int]) -> Crawl:
    """w reports u done, with `best` as the budgets known now: new URLs are queued; the last report releases the
    join."""
    todo = s.todo | {v for v in k.urls if s.best[v] == -1 and best[v] >= 0}
    flight = s.flight - {(w, u)}
    busy = any(v in todo or any((x, v) in flight for x in k.workers) for v in k.urls)
    return replace(
        s,
        best=best,
        todo=todo,
        flight=flight,
        done=s.done | {u},
        phase=Phase.RUN if busy else Phase.JOINED,
    )


@crawl.assume
def site(k: Const) -> bool:
    """CRAWL-7: There is a root and a worker, every link and redirect leads to a URL of the site, budgets are natural
    numbers.
    [the equation; without a worker nothing happens; defined]"""
    return (
        k.limit >= 0
        and any(True for w in k.workers)
        and any(u in k.roots for u in k.urls)
        and all(r in k.urls for r in k.roots)
        and all(k.hop[u] in k.urls and all(v in k.urls for v in k.links[u]) for u in k.urls)
    )


@crawl.assume
def bound(k: Const) -> bool:
    """CRAWL-8: `least` is the least solution of the site's equation.  [the equation; defined]"""
    return k.least == least(k)


@crawl.init
def seeded(k: Const, s: Crawl) -> bool:
    """CRAWL-9: At first the roots are known and queued, with the full budget, and nothing else.
    [the chapter, Crawler.__init__; documented]"""
    return (
        s.phase == Phase.RUN
        and all(s.best[u] == (k.limit if u in k.roots else -1) for u in k.urls)
        and all((u in s.todo) == (u in k.roots) and u not in s.done and s.fetches[u] == 0 for u in k.urls)
        and all(w in s.alive and all((w, u) not in s.flight for u in k.urls) for w in k.workers)
    )


@crawl.action(fair=True, changes="todo[u] flight fetches[u]")
def start(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: An idle worker takes any queued URL and fetches it.
    [the chapter, Crawler.work; documented]"""
    if u in s.todo and all((w, v) not in s.flight for v in k.urls):
        yield replace(
            s,
            todo=s.todo - {u},
            flight=s.flight | {(w, u)},
            fetches=s.fetches | {u: s.fetches[u] + 1},
        )


@crawl.action(fair=True, changes="best todo flight done[u] phase")
def page(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: A page arrives: its links are offered the full budget.
    [the chapter, Crawler.fetch; documented]"""
    if (w, u) in s.flight and k.kind[u] == AnswerKind.PAGE:
        yield complete(k, s, w, u, offer(k, s, k.links[u], k.limit))


@crawl.action(fair=True, changes="best todo flight done[u] phase")
def redirect(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-3: A redirect arrives: its target is offered one less than the best budget known for it now, if
    any is left.
    [the chapter, Crawler.fetch, for the rule; the equation, for reading the budget now; defined]"""
    if (w, u) in s.flight and k.kind[u] == AnswerKind.REDIRECT:
        if s.best[u] > 0:
            yield complete(k, s, w, u, offer(k, s, frozenset({k.hop[u]}), s.best[u] - 1))
        else:
            yield complete(k, s, w, u, s.best)


@crawl.action(fair=True, changes="flight done[u] phase")
def fail(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-5: A fetch that fails is a result too: the URL is done, and its worker continues.
    [the chapter, Crawler.fetch, where an error is recorded and the worker continues; documented]"""
    if (w, u) in s.flight and k.kind[u] == AnswerKind.ERROR:
        yield complete(k, s, w, u, s.best)


@crawl.action(fair=True, changes="alive[w]")
def cancel(k: Const, s: Crawl, w: Worker) -> Iterator[Crawl]:
    """CRAWL-12: After the join, the workers are cancelled.  [the chapter, Crawler.crawl; documented]"""
    if s.phase == Phase.JOINED and w in s.alive:
        yield replace(s, alive=s.alive - {w})


@crawl.action(fair=True, changes="phase")
def close(k: Const, s: Crawl) -> Iterator[Crawl]:
    """CRAWL-13: When every worker was cancelled, the crawl is closed.  [the chapter, Crawler.crawl; documented]"""
    if s.phase == Phase.JOINED and all(w not in s.alive for w in k.workers):
        yield replace(s, phase=Phase.CLOSED)


@crawl.invariant
def no_budget_too_large(k: Const, s: Crawl) -> bool:
    """CRAWL-14: No budget exceeds the least solution: `best` is below every closed function.
    [the equation; defined]"""
    return all(-1 <= s.best[u] <= k.least[u] for u in k.urls)


@crawl.invariant
def no_url_is_forgotten(k: Const, s: Crawl) -> bool:
    """CRAWL-15: The known URLs are those that are queued, in flight or done: none is forgotten, none invented.
    [the chapter, whose join counts them; documented]"""
    return all((s.best[u] >= 0) == (u in s.todo or u in s.done or flies(k, s, u)) for u in k.urls)


@crawl.invariant
def one_place_per_url(k: Const, s: Crawl) -> bool:
    """CRAWL-16: No URL is two of queued, in flight, done; no two workers fetch one URL; no worker fetches
    two.
    [the chapter, Crawler.work; documented]"""
    return all(u not in s.done or (u not in s.todo and not flies(k, s, u)) for u in k.urls) and all(
        (w, u) not in s.flight
        or (
            u not in s.todo
            and all(v == u or (w, v) not in s.flight for v in k.urls)
            and all(x == w or (x, u) not in s.flight for x in k.workers)
        )
        for w in k.workers
        for u in k.urls
    )


@crawl.invariant
def fetched_at_most_once(k: Const, s: Crawl) -> bool:
    """CRAWL-1: A URL is fetched once, or not at all.  [the chapter, seen_urls; documented]"""
    return all(s.fetches[u] >= 0 and s.fetches[u] <= 1 for u in k.urls)


@crawl.invariant
def fetched_exactly_if_taken(k: Const, s: Crawl) -> bool:
    """CRAWL-23: A URL that is in flight or done was fetched, any other was not.
    [the meaning of this specification's state; defined]"""
    return all((s.fetches[u] == 0) == (u not in s.done and not flies(k, s, u)) for u in k.urls)


@crawl.invariant
def roots_keep_full_budget(k: Const, s: Crawl) -> bool:
    """CRAWL-17: The roots keep the full budget.  [the equation; defined]"""
    return all(s.best[r] == k.limit for r in k.roots)


@crawl.invariant
def closed_when_done(k: Const, s: Crawl) -> bool:
    """CRAWL-4: The URLs that a done URL leads to are known, with the budget that follows from the best one known
    now; under the chapter's rule, with any budget.
    [the equation; defined]"""
    return all(
        u not in s.done or handed_on(k, s.best, u, 0 if k.first_wins else k.limit, 0 if k.first_wins else s.best[u] - 1)
        for u in k.urls
    )


@crawl.invariant
def join_exact(k: Const, s: Crawl) -> bool:
    """CRAWL-18: The join is released exactly when nothing is queued and nothing is in flight.
    [asyncio.Queue.join (QUEUE-6) on the chapter's queue; documented]"""
    return (s.phase == Phase.RUN) == any(u in s.todo or flies(k, s, u) for u in k.urls)


@crawl.invariant
def done_is_least_solution(k: Const, s: Crawl) -> bool:
    """CRAWL-6: After the join, the URLs done are those of the least solution, and the budgets are its
    budgets.  For the chapter's rule, only the URLs are compared.
    [the equation; defined]"""
    return s.phase == Phase.RUN or all(
        (u in s.done) == (k.least[u] >= 0) and (k.first_wins or s.best[u] == k.least[u]) for u in k.urls
    )


@crawl.invariant
def workers_live_until_close(k: Const, s: Crawl) -> bool:
    """CRAWL-19: While the crawl runs, every worker is alive; when it is closed, none is.
    [the chapter, Crawler.crawl, which cancels the workers after the join; documented]"""
    return all(
        (s.phase != Phase.RUN or w in s.alive) and (s.phase != Phase.CLOSED or w not in s.alive) for w in k.workers
    )


def stage(s: Crawl, u: Url) -> int:
    """The steps left for u: 3 while it is unknown, 2 queued, 1 in flight, 0 done."""
    return 3 if s.best[u] == -1 else 0 if u in s.done else 2 if u in s.todo else 1


def left(k: Const, s: Crawl) -> int:
    """The steps left at the end but for the last: to cancel each worker."""
    return sum(1 for w in k.workers if w in s.alive)


@crawl.step
def no_budget_falls(k: Const, s: Crawl, t: Crawl) -> bool:
    """CRAWL-2: A budget that is known never falls.  [the equation; defined]"""
    return all(s.best[u] <= t.best[u] for u in k.urls)


def begun(k: Const, s: Crawl) -> bool:
    """Whether the crawl still runs."""
    return s.phase == Phase.RUN


def steps_left(k: Const, s: Crawl) -> int:
    """The most steps left before the last: those of the URLs, and those of the end."""
    return sum(stage(s, u) for u in k.urls) + left(k, s)


@crawl.leads_to(begun, rank=steps_left)
def crawl_terminates(k: Const, s: Crawl) -> bool:
    """CRAWL-21: A crawl that has begun is closed in the end, if its actions are fair: every step advances some URL, or
    the end of the crawl.
    [the chapter, Crawler.crawl, "Run the crawler until all work is done"; documented]"""
    return s.phase == Phase.CLOSED
