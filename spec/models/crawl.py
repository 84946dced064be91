"""Finite models of the crawl, and the symmetry of its workers.

Theory of operation.  The workers of a crawl are interchangeable: renaming them turns runs into runs.  A symmetric
model keeps of each class of states the one in which they are sorted by what they do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..crawl import Const, Crawl, Phase, Url, Worker, crawl
from ..kit.core import Spec
from ..kit.map import Map
from ..kit.model import Model


def crawl_model(
    k: Const, *, spec: Spec[Const, Crawl] = crawl, symmetric: bool = False
) -> Model[Const, Crawl]:
    """A crawl of that site."""
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
    """Sort the workers by what they fetch; the cancelled ones come last."""

    def canon(s: Crawl) -> Crawl:
        order = sorted(workers, key=lambda w: (w not in s.alive, sorted(u for v, u in s.flight if v == w)))
        if order == workers:
            return s
        new = dict(zip(order, workers, strict=True))
        return replace(
            s,
            flight=frozenset((new[w], u) for w, u in s.flight),
            alive=frozenset(new[w] for w in s.alive),
        )

    return canon


def over(s: Crawl) -> bool:
    """A crawl may end only when it is closed."""
    return s.phase == Phase.CLOSED
