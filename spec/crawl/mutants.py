"""Mutants of the crawl and of the chapter's loop: each has one error, which the check must find at a known depth.

A mutant derives from the specification, with a wrong action in the place of the right one, often the right one with
a wrong result.  Some are errors that real crawlers had, or the chapter's own, or those that its order of statements
avoids; the others break a rule that only the specification has, or the refinement of the crawl.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import only
from ..kit.core import Map, Spec, replace
from ..kit.model import Model
from ..kit.mutants import in_state, mutant, unfair
from .fifo import At, FifoCrawl, Main, answered, arrive, close, crawl_fifo, look, put_all, turn
from .models import fifo_model
from .specification import AnswerKind, Const, Crawl, Phase, Url, Worker, complete, crawl, flies, offer, start


def redirect_forgets(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-3: Wrong: a larger budget stops at a redirect that was fetched."""
    if (w, u) in s.flight and k.kind[u] == AnswerKind.REDIRECT:
        n = s.best[u] - 1
        yield complete(k, s, w, u, s.best | ({k.hop[u]: n} if n > s.best[k.hop[u]] else {}))


def page_skips_flights(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-11: Wrong: an offer does not reach a URL in flight, which keeps the budget that it started with."""
    if (w, u) in s.flight and k.kind[u] == AnswerKind.PAGE:
        targets = frozenset({v for v in k.links[u] if not flies(k, s, v)})
        yield complete(k, s, w, u, offer(k, s, targets, k.limit))


def start_from_the_queue(k: Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    """CRAWL-10: Wrong: a URL stays in the queue until it has arrived."""
    for q in start(k, s, w, u):
        if not flies(k, s, u):
            yield replace(q, todo=s.todo)


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


# A larger budget stops at a redirect that was fetched.
forgetful = mutant(
    crawl,
    "fetched redirects pass nothing on",
    page=lambda k, s, w, u: complete(k, s, w, u, s.best | {v: k.limit for v in k.links[u]}),
    redirect=redirect_forgets,
)
overcounting = mutant(
    crawl,
    "a fetch counts for what is queued",
    start=lambda q: replace(q, fetches=q.fetches | {v: q.fetches[v] + 1 for v in q.todo}),
)
early_budget = mutant(crawl, "the budget is read when a fetch starts", page=page_skips_flights)
early_done = mutant(
    crawl,
    "a page is reported done before its links are queued",
    page=lambda k, s, q: q if any(v in s.todo or flies(k, q, v) for v in k.urls) else replace(q, phase=Phase.JOINED),
)
lossy = mutant(crawl, "links are known, and not queued", page=lambda s, q: replace(q, todo=s.todo))
greedy = mutant(crawl, "a page is queued again", page=lambda q, u: replace(q, todo=q.todo | {u}))
clinging = mutant(crawl, "a page stays in flight", page=lambda s, q: replace(q, flight=s.flight))
free = mutant(
    crawl,
    "a redirect costs nothing",
    redirect=lambda k, s, w, u: complete(k, s, w, u, offer(k, s, frozenset({k.hop[u]}), s.best[u])),
)
# Its target gets a budget below that of an unknown URL.
costly = mutant(
    crawl,
    "a redirect without budget takes some",
    redirect=lambda k, s, w, u: complete(k, s, w, u, s.best | {k.hop[u]: s.best[u] - 2}),
)
stingy = mutant(crawl, "a link has no budget", page=lambda k, s, w, u: complete(k, s, w, u, offer(k, s, k.links[u], 0)))
careless = mutant(
    crawl,
    "a redirect replaces a larger budget",
    redirect=lambda k, s, w, u: complete(k, s, w, u, s.best | {k.hop[u]: s.best[u] - 1}),
)
insistent = mutant(crawl, "a cancelled worker is cancelled again", cancel=cancel_again)
twofold = mutant(
    crawl,
    "a worker requests a root twice",
    start=lambda k, s, q, u: replace(q, fetches=s.fetches | {u: s.fetches[u] + 2}) if u in k.roots else q,
)
backwards = mutant(
    crawl,
    "fetches are counted backwards",
    start=lambda s, q, u: replace(q, fetches=s.fetches | {u: s.fetches[u] - 1}),
)
doubled = mutant(crawl, "a URL that is fetched stays in the queue", start=lambda s, q: replace(q, todo=s.todo))
late = mutant(
    crawl,
    "a URL is queued until it has arrived",
    start=start_from_the_queue,
    page=lambda q, u: replace(q, todo=q.todo - {u}),
)
# An idle worker joins another in a fetch.
shared = mutant(
    crawl,
    "two workers share a fetch",
    start=in_state(lambda s: replace(s, todo=s.todo | {v for (_, v) in s.flight})),
    page=lambda s, q, u: replace(q, flight=frozenset({(x, v) for (x, v) in s.flight if v != u})),
)
doubling = mutant(crawl, "a worker fetches two URLs at once", start=start_beside_another)
uncounted = mutant(
    crawl,
    "the fetch of a root is not counted",
    start=lambda k, s, q, u: replace(q, fetches=s.fetches) if u in k.roots else q,
)
hasty = mutant(crawl, "one worker is cancelled before the join", cancel=cancel_any_time)
impatient = mutant(crawl, "the crawl is closed while a worker is alive", close=close_too_early)

patient = unfair(crawl, "a page need never arrive", "page")


def arrive_reported(k: Const, s: FifoCrawl, w: Worker, u: Url) -> Iterator[FifoCrawl]:
    """FIFO-3: Wrong: the URL is reported done before its links are put."""
    main = Main.WOKEN if s.unfinished == 1 else s.main
    yield from arrive(k, replace(s, unfinished=s.unfinished - 1, main=main), w, u)


def arrive_and_put_all(k: Const, s: FifoCrawl, w: Worker, u: Url) -> Iterator[FifoCrawl]:
    """FIFO-3: Wrong: links that are known already are put again."""
    for q in answered(k, s, w, u):
        after = replace(s, best=q.best, done=q.done, flight=q.flight, at=s.at | {w: At.REPORT})
        yield from put_all(after, k.links[u])


def newest_first(items: tuple[Url, ...]) -> tuple[Url, ...]:
    return items[-1:] + items[:-1]


def turn_to_the_newest(k: Const, s: FifoCrawl, w: Worker) -> Iterator[FifoCrawl]:
    """FIFO-2: Wrong: a worker takes the newest URL."""
    yield from turn(k, replace(s, items=newest_first(s.items)), w)


def close_unasked(k: Const, s: FifoCrawl) -> Iterator[FifoCrawl]:
    """FIFO-5: Wrong: the main task cancels the workers when nothing is unfinished, although it was not released."""
    if s.main == Main.JOIN and s.unfinished == 0:
        yield from close(k, replace(s, main=Main.WOKEN))


def seeded_unseen(k: Const, s: FifoCrawl) -> bool:
    """FIFO-1: Wrong: the roots are queued, and not known."""
    return all(s.best[u] == -1 for u in k.urls)


rash = mutant(crawl_fifo, "the first worker that leaves ends the crawl", unwind=lambda q: replace(q, main=Main.OVER))
deaf = mutant(
    crawl_fifo,
    "a put wakes no worker",
    arrive=lambda s, q, w: replace(q, getters=s.getters, at=s.at | {w: At.REPORT}),
)
queuer = mutant(crawl_fifo, "a woken worker stays in line", arrive=lambda s, q: replace(q, getters=s.getters))
mortal = mutant(
    crawl_fifo,
    "an error kills its worker",
    arrive=lambda k, q, w, u: replace(q, at=q.at | {w: At.GONE}) if k.kind[u] == AnswerKind.ERROR else q,
)
# Its report comes too early, and then none.
early = mutant(
    crawl_fifo,
    "a URL is reported done before its links are put",
    arrive=arrive_reported,
    report=lambda s, w: look(s, w),
)
repetitive = mutant(crawl_fifo, "links that are known are put again", arrive=arrive_and_put_all)
newest: Spec[Const, FifoCrawl] = Spec(
    "crawl_fifo: the newest URL comes first",
    FifoCrawl,
    crawl_fifo,
    without=("turn",),
    opaque={"newest_first": "it slices a tuple before its end"},
)
newest.action(fair=True, changes="items at[w] getters flight fetches")(turn_to_the_newest)
generous = mutant(
    crawl_fifo,
    "a report counts for all that are due",
    report=lambda s, q: replace(q, unfinished=0, main=Main.WOKEN) if (s.items == () and s.flight == frozenset()) else q,
)
polling = mutant(
    crawl_fifo,
    "the main task is not released, but looks",
    report=lambda s, q: replace(q, main=s.main),
    close=close_unasked,
)
slow = mutant(
    crawl_fifo,
    "the workers are cancelled a step too early",
    close=lambda s, q: replace(s, main=q.main) if s.getters == () else replace(q, main=s.main),
)

holding = mutant(crawl_fifo, "a URL that has arrived is in flight", arrive=lambda s, q: replace(q, flight=s.flight))
sparing = mutant(
    crawl_fifo,
    "one worker is cancelled, the others are not",
    close=lambda s, q: replace(q, at=s.at | {w: At.CANCELLED for w in s.getters[:1]}, getters=s.getters[1:]),
)

patient_loop = unfair(crawl_fifo, "an answer need never arrive", "arrive")

unseen: Spec[Const, FifoCrawl] = Spec("crawl_fifo: the roots are not known", FifoCrawl, crawl_fifo, without=("seeded",))
unseen.init(seeded_unseen)


def unseen_model(k: Const) -> Model[Const, FifoCrawl]:
    """The loop over that site, but the roots are not known."""
    right = fifo_model(k)
    init = tuple(replace(s, best=Map(dict.fromkeys(s.best, -1))) for s in right.init)
    return Model(only(unseen, "refinement"), k, init, right.domains)
