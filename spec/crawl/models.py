"""Finite models of the crawl and of the chapter's loop, and the symmetry of their workers.

The workers of a crawl are interchangeable: renaming them turns runs into runs.  A symmetric model keeps one state of
each class: the one with the workers sorted by their status.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

from ..kit.core import Map, Spec, replace
from ..kit.model import Model
from ..kit.symmetry import sorted_by
from .fifo import At, FifoCrawl, Main, crawl_fifo
from .specification import Const, Crawl, Phase, Url, Worker, crawl


def crawl_model(k: Const, *, spec: Spec[Const, Crawl] = crawl, symmetric: bool = False) -> Model[Const, Crawl]:
    """A crawl of the site in `k`."""
    workers, urls = sorted(k.workers), sorted(k.urls)
    start = Crawl(
        best=Map({u: k.limit if u in k.roots else -1 for u in urls}),
        todo=k.roots,
        flight=frozenset(),
        done=frozenset(),
        fetches=Map(dict.fromkeys(urls, 0)),
        alive=k.workers,
        phase=Phase.RUN,
    )
    return Model(spec, k, (start,), {Worker: workers, Url: urls}, by_worker(workers) if symmetric else None)


def by_worker(workers: list[Worker]) -> Callable[[Crawl], Crawl]:
    """Sort the workers by their URLs; the cancelled ones come last."""

    def rank(s: Crawl, w: Worker) -> tuple[bool, list[Url]]:
        return w not in s.alive, sorted(u for v, u in s.flight if v == w)

    return sorted_by(Crawl, Worker, workers, rank)


def over(s: Crawl) -> bool:
    """A crawl may end only when it is closed."""
    return s.phase == Phase.CLOSED


def fifo_model(
    k: Const, *, spec: Spec[Const, FifoCrawl] = crawl_fifo, symmetric: bool = False
) -> Model[Const, FifoCrawl]:
    """The chapter's loop over the site in `k`; the roots may be in the queue in any order."""
    workers, urls = sorted(k.workers), sorted(k.urls)
    start = FifoCrawl(
        best=Map({u: k.limit if u in k.roots else -1 for u in urls}),
        done=frozenset(),
        items=(),
        unfinished=len(k.roots),
        getters=(),
        at=Map(dict.fromkeys(workers, At.READY)),
        flight=frozenset(),
        fetches=Map(dict.fromkeys(urls, 0)),
        main=Main.JOIN,
    )
    init = tuple(replace(start, items=items) for items in permutations(sorted(k.roots)))
    return Model(spec, k, init, {Worker: workers, Url: urls}, fifo_by_worker(workers) if symmetric else None)


def fifo_by_worker(workers: list[Worker]) -> Callable[[FifoCrawl], FifoCrawl]:
    """Sort the workers by place, place in the line and URL."""

    def rank(s: FifoCrawl, w: Worker) -> tuple[At, int, list[Url]]:
        place = s.getters.index(w) if s.at[w] == At.WAIT else 0
        return s.at[w], place, sorted(u for v, u in s.flight if v == w)

    return sorted_by(FifoCrawl, Worker, workers, rank)


def fifo_over(s: FifoCrawl) -> bool:
    """The loop may end only when its main task is over."""
    return s.main == Main.OVER
