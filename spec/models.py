"""Finite models of the texts: initial states, domains, and the symmetry of tasks and of workers.

Theory of operation.  The tasks of a queue, and the workers of a crawl, are interchangeable: renaming them turns runs
into runs.  A symmetric model keeps of each class of states the one in which they are sorted by what they do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .crawl import Const as Site
from .crawl import Crawl, Phase, Url, Worker, crawl
from .kit.core import Model, Spec
from .kit.map import Map
from .queue import At, Item, Queue, Sig, Task, queue
from .queue import Const as Bounds


def queue_model(
    tasks: int,
    maxsize: int,
    puts: int,
    *,
    items: int = 1,
    spec: Spec[Bounds, Queue] = queue,
    symmetric: bool = False,
) -> Model[Bounds, Queue]:
    """A queue with that capacity for so many tasks, which put at most `puts` items of so many kinds."""
    names = [Task(t) for t in range(tasks)]
    nothing: tuple[Item, ...] = ()
    start = Queue(
        buf=(),
        unfinished=0,
        held=Map(dict.fromkeys(names, 0)),
        at=Map(dict.fromkeys(names, At.IDLE)),
        sig=Map(dict.fromkeys(names, Sig.WAIT)),
        carry=Map(dict.fromkeys(names, nothing)),
        line=frozenset(),
        sent=(),
        got=(),
    )
    k = Bounds(tasks=frozenset(names), maxsize=maxsize, puts=puts)
    return Model(spec, k, (start,), {Task: names, Item: range(items)}, by_task(names) if symmetric else None)


def by_task(tasks: list[Task]) -> Callable[[Queue], Queue]:
    """Sort the tasks by place, signal, number of those before them, items held and carried."""

    def canon(s: Queue) -> Queue:
        def rank(t: Task) -> tuple[At, Sig, int, int, tuple[Item, ...]]:
            return s.at[t], s.sig[t], sum(1 for _, w in s.line if w == t), s.held[t], s.carry[t]

        order = sorted(tasks, key=rank)
        if order == tasks:
            return s
        new = dict(zip(order, tasks, strict=True))
        return replace(
            s,
            held=Map({new[t]: s.held[t] for t in order}),
            at=Map({new[t]: s.at[t] for t in order}),
            sig=Map({new[t]: s.sig[t] for t in order}),
            carry=Map({new[t]: s.carry[t] for t in order}),
            line=frozenset((new[v], new[w]) for v, w in s.line),
        )

    return canon


def crawl_model(k: Site, *, spec: Spec[Site, Crawl] = crawl, symmetric: bool = False) -> Model[Site, Crawl]:
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
