"""Mutants of the crawl and of the chapter's loop: each has one error, which the check must find at a known depth.

A mutant derives from the specification, with a wrong action in the place of the right one, often the right one with
a wrong result.  Some are errors that real crawlers had, or the chapter's own, or those that its order of statements
avoids; the others break what only the specification says, or the refinement of the crawl.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import mutant, only
from ..kit.core import Map, Spec, replace
from ..kit.model import Model
from .fifo import At, Fifo, Main, answered, arrive, close, crawl_fifo, look, put_all, report, turn, unwind
from .models import fifo_model
from .specification import Const, Crawl, Kind, Phase, Url, Worker, complete, crawl, flies, offer, page, start


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
    """CRAWL-11: Wrong: an offer does not reach a URL in flight, which keeps the budget that it started with."""
    if (w, u) in s.flight and k.kind[u] == Kind.PAGE:
        targets = frozenset({v for v in k.links[u] if not flies(k, s, v)})
        yield complete(k, s, w, u, offer(k, s, targets, k.limit))


def page_done_first(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: the last report releases the join although it brings links."""
    for q in page(k, s, w, u):
        busy = any(v in s.todo or flies(k, q, v) for v in k.urls)
        yield q if busy else replace(q, phase=Phase.JOINED)


def page_not_queued(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: the links are known, and not queued."""
    for q in page(k, s, w, u):
        yield replace(q, todo=s.todo)


def page_queued_again(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: a page is queued again when it has arrived."""
    for q in page(k, s, w, u):
        yield replace(q, todo=q.todo | {u})


def page_still_flying(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: the worker goes on with the page that has arrived."""
    for q in page(k, s, w, u):
        yield replace(q, flight=s.flight)


def redirect_for_free(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-3: Wrong: a redirect costs nothing."""
    if (w, u) in s.flight and k.kind[u] == Kind.REDIRECT:
        yield complete(k, s, w, u, offer(k, s, frozenset({k.hop[u]}), s.best[u]))


def redirect_below_none(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-3: Wrong: the target of a redirect without budget gets a budget below that of an unknown URL."""
    if (w, u) in s.flight and k.kind[u] == Kind.REDIRECT:
        yield complete(k, s, w, u, s.best | {k.hop[u]: s.best[u] - 2})


def page_offers_nothing(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: a link has no budget for redirects."""
    if (w, u) in s.flight and k.kind[u] == Kind.PAGE:
        yield complete(k, s, w, u, offer(k, s, k.links[u], 0))


def redirect_overwrites(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-3: Wrong: the target's budget is replaced, though it was larger."""
    if (w, u) in s.flight and k.kind[u] == Kind.REDIRECT:
        yield complete(k, s, w, u, s.best | {k.hop[u]: s.best[u] - 1})


def start_uncounted(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: the fetch of a root is not counted."""
    for q in start(k, s, w, u):
        yield replace(q, fetches=s.fetches) if u in k.roots else q


def start_twice(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: a worker requests a root twice."""
    for q in start(k, s, w, u):
        yield replace(q, fetches=s.fetches | {u: s.fetches[u] + 2}) if u in k.roots else q


def start_backwards(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: fetches are counted backwards."""
    for q in start(k, s, w, u):
        yield replace(q, fetches=s.fetches | {u: s.fetches[u] - 1})


def start_still_queued(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: a URL that is fetched stays in the queue."""
    for q in start(k, s, w, u):
        yield replace(q, todo=s.todo)


def start_from_the_queue(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: a URL stays in the queue until it has arrived."""
    for q in start(k, s, w, u):
        if not flies(k, s, u):
            yield replace(q, todo=s.todo)


def page_from_the_queue(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: a page that has arrived leaves the queue."""
    for q in page(k, s, w, u):
        yield replace(q, todo=q.todo - {u})


def start_too(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: an idle worker joins another in a fetch."""
    yield from start(k, replace(s, todo=s.todo | {v for (_, v) in s.flight}), w, u)


def page_for_all(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: a page arrives for every worker that fetches it."""
    for q in page(k, s, w, u):
        yield replace(q, flight=frozenset({(x, v) for (x, v) in s.flight if v != u}))


def start_beside_another(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: a worker fetches two URLs at once."""
    for q in start(k, replace(s, flight=frozenset({(x, v) for (x, v) in s.flight if x != w})), w, u):
        yield replace(q, flight=s.flight | {(w, u)})


def cancel_any_time(k: Const, s: Crawl, w: Worker) -> Iterator[Crawl]:
    """CRAWL-12: Wrong: one worker may be cancelled before the join."""
    if s.phase != Phase.CLOSED and w in s.alive and (s.phase == Phase.JOINED or s.alive == k.workers):
        yield replace(s, alive=s.alive - {w})


def cancel_again(k: Const, s: Crawl, w: Worker) -> Iterator[Crawl]:
    """CRAWL-12: Wrong: a worker that was cancelled is cancelled again, without end."""
    if s.phase == Phase.JOINED:
        yield replace(s, alive=s.alive - {w})


def close_too_early(k: Const, s: Crawl) -> Iterator[Crawl]:
    """CRAWL-13: Wrong: the crawl is closed when one worker was cancelled."""
    if s.phase == Phase.JOINED and any(w not in s.alive for w in k.workers):
        yield replace(s, phase=Phase.CLOSED)


def page_perhaps(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: a page need never arrive."""
    yield from page(k, s, w, u)


def start_two(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: the fetch of a URL counts as one of every URL that is queued."""
    for q in start(k, s, w, u):
        yield replace(q, fetches=q.fetches | {v: q.fetches[v] + 1 for v in q.todo})


def unwind_and_empty(k: Const, s: Fifo, w: Worker) -> Iterator[Fifo]:
    """FIFO-6: Wrong: a worker that leaves ends the main task."""
    for q in unwind(k, s, w):
        yield replace(q, main=Main.OVER)


forgetful = mutant(crawl, "fetched redirects pass nothing on", page=page_forgets, redirect=redirect_forgets)
overcounting = mutant(crawl, "a fetch counts for what is queued", start=start_two)
early_budget = mutant(crawl, "the budget is read when a fetch starts", page=page_skips_flights)
early_done = mutant(crawl, "a page is reported done before its links are queued", page=page_done_first)
lossy = mutant(crawl, "links are known, and not queued", page=page_not_queued)
greedy = mutant(crawl, "a page is queued again", page=page_queued_again)
clinging = mutant(crawl, "a page stays in flight", page=page_still_flying)
free = mutant(crawl, "a redirect costs nothing", redirect=redirect_for_free)
costly = mutant(crawl, "a redirect without budget takes some", redirect=redirect_below_none)
stingy = mutant(crawl, "a link has no budget", page=page_offers_nothing)
careless = mutant(crawl, "a redirect replaces a larger budget", redirect=redirect_overwrites)
insistent = mutant(crawl, "a cancelled worker is cancelled again", cancel=cancel_again)
twofold = mutant(crawl, "a worker requests a root twice", start=start_twice)
backwards = mutant(crawl, "fetches are counted backwards", start=start_backwards)
doubled = mutant(crawl, "a URL that is fetched stays in the queue", start=start_still_queued)
late = mutant(
    crawl, "a URL is queued until it has arrived", start=start_from_the_queue, page=page_from_the_queue
)
shared = mutant(crawl, "two workers share a fetch", start=start_too, page=page_for_all)
doubling = mutant(crawl, "a worker fetches two URLs at once", start=start_beside_another)
uncounted = mutant(crawl, "the fetch of a root is not counted", start=start_uncounted)
hasty = mutant(crawl, "one worker is cancelled before the join", cancel=cancel_any_time)
impatient = mutant(crawl, "the crawl is closed while a worker is alive", close=close_too_early)

patient: Spec[Const, Crawl] = Spec("crawl: a page need never arrive", Crawl, crawl, without=("page",))
patient.action()(page_perhaps)


def arrive_deaf(k: Const, s: Fifo, w: Worker, u: Url) -> Iterator[Fifo]:
    """FIFO-3: Wrong: a put wakes no worker."""
    for q in arrive(k, s, w, u):
        yield replace(q, getters=s.getters, at=s.at | {w: At.REPORT})


def arrive_standing_in_line(k: Const, s: Fifo, w: Worker, u: Url) -> Iterator[Fifo]:
    """FIFO-3: Wrong: a woken worker keeps its place in the line."""
    for q in arrive(k, s, w, u):
        yield replace(q, getters=s.getters)


def arrive_still_flying(k: Const, s: Fifo, w: Worker, u: Url) -> Iterator[Fifo]:
    """FIFO-3: Wrong: a URL that has arrived stays in flight."""
    for q in arrive(k, s, w, u):
        yield replace(q, flight=s.flight)


def arrive_or_die(k: Const, s: Fifo, w: Worker, u: Url) -> Iterator[Fifo]:
    """FIFO-3: Wrong: an error ends its worker, which reports nothing."""
    for q in arrive(k, s, w, u):
        yield replace(q, at=q.at | {w: At.GONE}) if k.kind[u] == Kind.ERROR else q


def arrive_reported(k: Const, s: Fifo, w: Worker, u: Url) -> Iterator[Fifo]:
    """FIFO-3: Wrong: the URL is reported done before what it led to is put."""
    main = Main.WOKEN if s.unfinished == 1 else s.main
    yield from arrive(k, replace(s, unfinished=s.unfinished - 1, main=main), w, u)


def report_nothing(k: Const, s: Fifo, w: Worker) -> Iterator[Fifo]:
    """FIFO-4: Wrong: the report came too early."""
    if s.at[w] == At.REPORT:
        yield look(s, w)


def arrive_and_put_all(k: Const, s: Fifo, w: Worker, u: Url) -> Iterator[Fifo]:
    """FIFO-3: Wrong: links that are known already are put again."""
    for q in answered(k, s, w, u):
        after = replace(s, best=q.best, done=q.done, flight=q.flight, at=s.at | {w: At.REPORT})
        yield from put_all(after, k.links[u])


def arrive_perhaps(k: Const, s: Fifo, w: Worker, u: Url) -> Iterator[Fifo]:
    """FIFO-3: Wrong: an answer need never arrive."""
    yield from arrive(k, s, w, u)


def newest_first(items: tuple[Url, ...]) -> tuple[Url, ...]:
    return items[-1:] + items[:-1]


def turn_to_the_newest(k: Const, s: Fifo, w: Worker) -> Iterator[Fifo]:
    """FIFO-2: Wrong: a worker takes the newest URL."""
    yield from turn(k, replace(s, items=newest_first(s.items)), w)


def report_for_all(k: Const, s: Fifo, w: Worker) -> Iterator[Fifo]:
    """FIFO-4: Wrong: when nothing is queued or in flight, a report counts for every worker that is to report."""
    for q in report(k, s, w):
        over = s.items == () and s.flight == frozenset()
        yield replace(q, unfinished=0, main=Main.WOKEN) if over else q


def report_unnoticed(k: Const, s: Fifo, w: Worker) -> Iterator[Fifo]:
    """FIFO-4: Wrong: the last report releases no join."""
    for q in report(k, s, w):
        yield replace(q, main=s.main)


def close_unasked(k: Const, s: Fifo) -> Iterator[Fifo]:
    """FIFO-5: Wrong: the main task cancels the workers when nothing is unfinished, although it was not released."""
    if s.main == Main.JOIN and s.unfinished == 0:
        yield from close(k, replace(s, main=Main.WOKEN))


def close_later(k: Const, s: Fifo) -> Iterator[Fifo]:
    """FIFO-5: Wrong: the main task cancels the workers, and begins to close in a step of its own."""
    for q in close(k, s):
        yield replace(s, main=q.main) if s.getters == () else replace(q, main=s.main)


def close_but_one(k: Const, s: Fifo) -> Iterator[Fifo]:
    """FIFO-5: Wrong: the main task cancels only the worker that has waited longest."""
    for q in close(k, s):
        yield replace(q, at=s.at | {w: At.CANCELLED for w in s.getters[:1]}, getters=s.getters[1:])


def seeded_unseen(k: Const, s: Fifo) -> bool:
    """FIFO-1: Wrong: the roots are queued, and not known."""
    return all(s.best[u] == -1 for u in k.urls)


rash = mutant(crawl_fifo, "the first worker that leaves ends the crawl", unwind=unwind_and_empty)
deaf = mutant(crawl_fifo, "a put wakes no worker", arrive=arrive_deaf)
queuer = mutant(crawl_fifo, "a woken worker stays in line", arrive=arrive_standing_in_line)
mortal = mutant(crawl_fifo, "an error kills its worker", arrive=arrive_or_die)
early = mutant(
    crawl_fifo,
    "a URL is reported done before its links are put",
    arrive=arrive_reported,
    report=report_nothing,
)
repetitive = mutant(crawl_fifo, "links that are known are put again", arrive=arrive_and_put_all)
newest: Spec[Const, Fifo] = Spec(
    "crawl_fifo: the newest URL comes first",
    Fifo,
    crawl_fifo,
    without=("turn",),
    opaque={"newest_first": "it slices a tuple before its end"},
)
newest.action(fair=True, changes="items at[w] getters flight fetches")(turn_to_the_newest)
generous = mutant(crawl_fifo, "a report counts for all that are due", report=report_for_all)
polling = mutant(
    crawl_fifo, "the main task is not released, but looks", report=report_unnoticed, close=close_unasked
)
slow = mutant(crawl_fifo, "the workers are cancelled a step too early", close=close_later)

holding = mutant(crawl_fifo, "a URL that has arrived is in flight", arrive=arrive_still_flying)
sparing = mutant(crawl_fifo, "one worker is cancelled, the others are not", close=close_but_one)

patient_loop: Spec[Const, Fifo] = Spec(
    "crawl_fifo: an answer need never arrive", Fifo, crawl_fifo, without=("arrive",)
)
patient_loop.action()(arrive_perhaps)

unseen: Spec[Const, Fifo] = Spec("crawl_fifo: the roots are not known", Fifo, crawl_fifo, without=("seeded",))
unseen.init(seeded_unseen)


def unseen_model(k: Const) -> Model[Const, Fifo]:
    """The loop over that site, but the roots are not known."""
    right = fifo_model(k)
    init = tuple(replace(s, best=Map(dict.fromkeys(s.best, -1))) for s in right.init)
    return Model(only(unseen, "refinement"), k, init, right.domains)
