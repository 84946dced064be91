"""The fifo grade: the runs of a model in which those that are ready get their turns first in, first out.

Theory of operation.  A text in which any ready job may be next allows all orders, and it is what a program may rely on
in the end; asyncio's ready queue promises more.  That promise is not another text but a filter on any: beside each
state stand the queue of those that are ready and the line of those that wait, and an action that gives a job its turn
may happen only if that job is the first.  So every step of a filtered model is a step of the model, and whatever holds
of the text holds here: nothing is proved twice.  The line is there because whoever is made ready by one step (all that
wait for one future, say) comes to the queue in the order in which they began to wait.

A filtered model is a `Model`: the check, the monitor, what is led to and the machines take it as they take any.  Its
states are `Queued`; `text` is still the text.
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
    """What of a text is queued.

    `turns`: the actions that give a job its turn; it is their first parameter.  `ready` tells which jobs are ready,
    one that has two turns coming twice; `waiting`, which wait to be made so.  Jobs must have an order, by which go
    those of whom nothing else tells who came first: at the beginning, say.
    """

    turns: Collection[str]
    ready: Callable[[K, S], Collection[Any]]  # Any: whatever sorts
    waiting: Callable[[K, S], Collection[Any]]


@dataclass(frozen=True)
class Queued(Generic[S]):
    """A state of the text, with the jobs that are ready, first in first, and those that wait, likewise."""

    below: S
    queue: tuple[Any, ...]
    line: tuple[Any, ...]


class Fifo(Model[K, Queued[S]]):
    """`base`, but the first that is ready goes first.

    `canon` takes the place of the symmetry of `base`, which knows no queue: None, there is none.
    """

    def __init__(
        self,
        base: Model[K, S],
        jobs: Jobs[K, S],
        canon: Callable[[Queued[S]], Queued[S]] | None = None,
    ) -> None:
        self.base, self.jobs = base, jobs
        init = tuple(begin(base.k, jobs, s) for s in base.init)
        super().__init__(filtered(base.spec, jobs), base.k, init, base.domains, canon)

    @property
    def text(self) -> Spec[Any, Any]:
        return self.base.text

    def over(self, spec: Spec[Any, Any]) -> Model[Any, Any]:
        return Fifo(self.base.over(spec), self.jobs, self.canon)


def begin(k: K, jobs: Jobs[K, S], s: S) -> Queued[S]:
    """An initial state, in which everybody came at once."""
    return Queued(s, tuple(sorted(jobs.ready(k, s))), tuple(sorted(jobs.waiting(k, s))))


def filtered(spec: Spec[K, S], jobs: Jobs[K, S]) -> Spec[K, Queued[S]]:
    """`spec` over states with a queue: what it allows, if the queue does, and all its properties."""
    new: Spec[K, Queued[S]] = Spec(f"{spec.name}, first in, first out", Queued)
    new.actions.update({name: _action(item, jobs) for name, item in spec.actions.items()})
    for mine, theirs in zip(new.tables()[1:4], spec.tables()[1:4], strict=True):  # the properties
        mine.update({name: replace(item, fn=_below(item.fn)) for name, item in theirs.items()})
    new.progress.update(
        {
            name: replace(item, trigger=_below(item.trigger))
            for name, item in new.progress.items()
            if item.trigger
        }
    )
    new.assumes.update(spec.assumes)
    return new


def _action(item: Named, jobs: Jobs[K, S]) -> Named:
    """An action of the text, where the queue allows it."""
    turn = item.name in jobs.turns

    @wraps(item.fn)
    def fn(k: K, q: Queued[S], *args: Hashable) -> Iterator[Queued[S]]:
        if not turn or q.queue[:1] == args[:1]:
            queue = q.queue[1:] if turn else q.queue
            for t in item.fn(k, q.below, *args):
                yield q if t is q.below and not turn else after(k, jobs, Queued(t, queue, q.line))

    return replace(item, fn=fn, answer=_below(item.answer) if item.answer else None)


def _below(fn: Callable[..., Any]) -> Callable[..., Any]:  # Any: property, trigger or answer, of any text
    """What a function of the text says of states with a queue."""

    @wraps(fn)
    def of_queued(k: Any, *args: Any) -> Any:
        return fn(k, *(arg.below if isinstance(arg, Queued) else arg for arg in args))

    return of_queued


def after(k: K, jobs: Jobs[K, S], q: Queued[S]) -> Queued[S]:
    """`q`, whose queue and line are those of the step before: who is new comes to the end of them."""
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
