"""The chapter's loop with one known error each: the check must find it, at a known depth.

Theory of operation.  As for the crawl.  Some of these errors are the chapter's own, or those that its order of
statements avoids; they break an invariant of the loop, or only its refinement of the crawl.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..crawl import Const, Kind, Url, Worker
from ..crawl_fifo import At, Fifo, Main, answered, arrive, close, crawl_fifo, look, put_all, turn
from ..kit.core import Spec
from ..kit.instance import only, spoilt
from ..kit.map import Map
from ..kit.model import Model
from ..models.crawl_fifo import fifo_model


def arrive_deaf(k: Const, s: Fifo, w: Worker, u: Url) -> Iterator[Fifo]:
    """FIFO-3: Wrong: a put wakes nobody."""
    for q in arrive(k, s, w, u):
        yield replace(q, getters=s.getters, at=s.at | {w: At.REPORT})


def arrive_standing_in_line(k: Const, s: Fifo, w: Worker, u: Url) -> Iterator[Fifo]:
    """FIFO-3: Wrong: who is woken keeps its place in the line."""
    for q in arrive(k, s, w, u):
        yield replace(q, getters=s.getters)


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


def turn_to_the_newest(k: Const, s: Fifo, w: Worker) -> Iterator[Fifo]:
    """FIFO-2: Wrong: the newest URL comes first."""
    yield from turn(k, replace(s, items=s.items[-1:] + s.items[:-1]), w)


def close_who_waits(k: Const, s: Fifo) -> Iterator[Fifo]:
    """FIFO-5: Wrong: only the workers that wait are cancelled."""
    for q in close(k, s):
        yield replace(q, at=s.at | {w: At.CANCELLED for w in s.getters})


def seeded_unseen(k: Const, s: Fifo) -> bool:
    """FIFO-1: Wrong: the roots are queued, and not known."""
    return all(s.best[u] == -1 for u in k.urls)


deaf = spoilt(crawl_fifo, "a put wakes nobody", arrive=arrive_deaf)
queuer = spoilt(crawl_fifo, "who is woken stays in line", arrive=arrive_standing_in_line)
mortal = spoilt(crawl_fifo, "an error kills its worker", arrive=arrive_or_die)
early = spoilt(
    crawl_fifo,
    "a URL is reported done before its links are put",
    arrive=arrive_reported,
    report=report_nothing,
)
repetitive = spoilt(crawl_fifo, "links that are known are put again", arrive=arrive_and_put_all)
newest = spoilt(crawl_fifo, "the newest URL comes first", turn=turn_to_the_newest)
choosy = spoilt(crawl_fifo, "only the workers that wait are cancelled", close=close_who_waits)

patient: Spec[Const, Fifo] = Spec(
    "crawl_fifo: an answer need never arrive", Fifo, crawl_fifo, without=("arrive",)
)
patient.action()(arrive_perhaps)

unseen: Spec[Const, Fifo] = Spec("crawl_fifo: the roots are not known", Fifo, crawl_fifo, without=("seeded",))
unseen.init(seeded_unseen)


def unseen_model(k: Const) -> Model[Const, Fifo]:
    """The loop over that site, which does not know its roots."""
    right = fifo_model(k)
    init = tuple(replace(s, best=Map(dict.fromkeys(s.best, -1))) for s in right.init)
    return Model(only(unseen, "refinement"), k, init, right.domains)
