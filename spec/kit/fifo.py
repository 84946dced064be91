"""The filter first in, first out: those runs of a model that give jobs their turns in the order they became ready.

A specification that lets any ready job be next allows all orders, and a portable program may rely on no more.
asyncio's ready queue promises more.  That promise is not another specification but a filter: beside each state are the
queue of the ready jobs and the line of the waiting ones, and an action that gives a job its turn may happen only if
that job is the first.  So every step of a filtered model is a step of the model, and whatever holds of the
specification holds here: nothing is proved twice.  The line is needed because the jobs that one step makes ready (all
that wait for one future, say) enter the queue in the order of the beginnings of their waits.

A filtered model is a `Model`: the check, the monitor, liveness and the test machines take it like any other.  Its
states are `Queued`; `original` is still the specification itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Generic

from .core import K, Named, S, Spec
from .model import Model


@dataclass(frozen=True)
class Jobs(Generic[K, S]):
    """The jobs that are queued.

    `turns`: the actions that give a job its turn; the job is their first parameter.  `ready`: the jobs that are ready,
    one that has two turns coming twice.  `waiting`: the jobs that wait to become ready.  Jobs must be sortable: those
    that become ready at once, with no other order between them, are sorted.
    """

    turns: Collection[str]
    ready: Callable[[K, S], Collection[Any]]  # Any: a job is any sortable value
    waiting: Callable[[K, S], Collection[Any]]


@dataclass(frozen=True)
class Queued(Generic[S]):
    """A state of the specification, with the ready jobs and the waiting ones, each in the order of their arrival."""

    below: S
    queue: tuple[Any, ...]
    line: tuple[Any, ...]


class Fifo(Model[K, Queued[S]]):
    """`base`, but the job that became ready first goes first.

    `canon` replaces the symmetry of `base`, which knows no queue; None: no symmetry.
    """

    def __init__(
        self, base: Model[K, S], jobs: Jobs[K, S], canon: Callable[[Queued[S]], Queued[S]] | None = None
    ) -> None:
        self.base, self.jobs = base, jobs
        init = tuple(begin(base.k, jobs, s) for s in base.init)
        super().__init__(filtered(base.spec, jobs), base.k, init, base.domains, canon)

    @property
    def original(self) -> Spec[Any, Any]:
        return self.base.original

    def over(self, spec: Spec[Any, Any]) -> Model[Any, Any]:
        return Fifo(self.base.over(spec), self.jobs, self.canon)


def begin(k: K, jobs: Jobs[K, S], s: S) -> Queued[S]:
    """An initial state: all jobs became ready at once."""
    return Queued(s, tuple(sorted(jobs.ready(k, s))), tuple(sorted(jobs.waiting(k, s))))


def filtered(spec: Spec[K, S], jobs: Jobs[K, S]) -> Spec[K, Queued[S]]:
    """`spec` over states with a queue: the actions that the queue allows too, and all properties.

    Leads-to properties lose their ranks: an action that lowers one may have to wait for its turn.
    """
    new: Spec[K, Queued[S]] = Spec(f"{spec.name}, first in, first out", Queued)
    new.actions.update({name: _action(item, jobs) for name, item in spec.actions.items()})
    for mine, theirs in zip(new.tables()[1:4], spec.tables()[1:4], strict=True):  # the properties
        mine.update({name: replace(item, fn=_below(item.fn)) for name, item in theirs.items()})
    new.progress.update(
        {
            name: replace(item, trigger=_below(item.trigger), rank=None, by=())
            for name, item in new.progress.items()
            if item.trigger
        }
    )
    new.assumes.update(spec.assumes)
    return new


def _action(item: Named, jobs: Jobs[K, S]) -> Named:
    """An action of the specification, if the queue allows it."""
    turn = item.name in jobs.turns

    @wraps(item.fn)
    def fn(k: K, q: Queued[S], *args: Hashable) -> Iterator[Queued[S]]:
        if not turn or q.queue[:1] == args[:1]:
            queue = q.queue[1:] if turn else q.queue
            for t in item.fn(k, q.below, *args):
                yield q if t is q.below and not turn else after(k, jobs, Queued(t, queue, q.line))

    answer = _below(item.answer) if item.answer else None
    return replace(item, fn=fn, answer=answer, changes=None, whenever=None)  # of states without a queue


def _below(
    fn: Callable[..., Any],
) -> Callable[..., Any]:  # Any: property, trigger or answer, of any specification
    """A function of the specification, applied to states with a queue."""

    @wraps(fn)
    def of_queued(k: Any, *args: Any) -> Any:
        return fn(k, *(arg.below if isinstance(arg, Queued) else arg for arg in args))

    return of_queued


def after(k: K, jobs: Jobs[K, S], q: Queued[S]) -> Queued[S]:
    """`q` with the queue and the line before the step, and new jobs appended to them."""
    new = Counter(jobs.ready(k, q.below))
    kept = []
    for job in q.queue:
        if new[job]:
            new[job] -= 1
            kept.append(job)
    if came := +new:
        kept += [job for job in q.line for _ in range(came.pop(job, 0))]
        kept += sorted(came.elements())
    waiting = jobs.waiting(k, q.below)
    line = [job for job in q.line if job in waiting]
    line += sorted(job for job in waiting if job not in line)
    return Queued(q.below, tuple(kept), tuple(line))
