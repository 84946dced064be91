"""Finite models of the chapter's loop, and the symmetry of its workers.

Theory of operation.  As in the crawl: the workers are interchangeable, and a symmetric model keeps of each class of
states the one in which they are sorted by what they do.  The roots may stand in the queue in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

from ..crawl import Const, Url, Worker
from ..crawl_fifo import At, Fifo, Main, crawl_fifo
from ..kit.core import Spec
from ..kit.map import Map
from ..kit.model import Model


def fifo_model(
    k: Const, *, spec: Spec[Const, Fifo] = crawl_fifo, symmetric: bool = False
) -> Model[Const, Fifo]:
    """The loop over that site."""
    workers, urls = sorted(k.workers), sorted(k.urls)
    start = Fifo(
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
    return Model(spec, k, init, {Worker: workers, Url: urls}, by_worker(workers) if symmetric else None)


def by_worker(workers: list[Worker]) -> Callable[[Fifo], Fifo]:
    """Sort the workers by where they are, their place in the line and what they fetch."""

    def canon(s: Fifo) -> Fifo:
        def rank(w: Worker) -> tuple[At, int, list[Url]]:
            place = s.getters.index(w) if s.at[w] == At.WAIT else 0
            return s.at[w], place, sorted(u for v, u in s.flight if v == w)

        order = sorted(workers, key=rank)
        if order == workers:
            return s
        new = dict(zip(order, workers, strict=True))
        return replace(
            s,
            getters=tuple(new[w] for w in s.getters),
            at=Map({new[w]: s.at[w] for w in order}),
            flight=frozenset((new[w], u) for w, u in s.flight),
        )

    return canon


def over(s: Fifo) -> bool:
    """The loop may end only when its main task is over."""
    return s.main == Main.OVER
