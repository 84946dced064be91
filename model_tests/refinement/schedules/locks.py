"""The schedules of locks, semaphores, conditions and events: to every step of small ones that a loop can take.

Theory of operation.  As for the queue (`queue.py`); but these models are so small that nothing has to be left out:
schedules lead to every step, of those that differ by a renaming of tasks to the first.  They come shortest first, so
the first that is rejected is one of the shortest there are.  When a schedule is over and all is at rest, every task
that may calls once more: what has become of the object shows in who is let in.  No schedule leads to what a text leaves
to implementations (LOCK-13, COND-2): whoever does it leaves its path, and is judged all the same.

A notify that lingers has the woken wait for the lock, which no text tells: so there each schedule is run once more with
a turn before its last move, which then meets them there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final

from spec.kit.core import Event, Spec
from spec.kit.model import Model
from spec.kit.trace import Line
from spec.locks import CONDITION, LOCK, SEMAPHORE, Gate, Sort, event_model, lock_model, locks

from ..machines.adapter import Make
from ..machines.locks import NOTIFIES, event_adapter, lock_adapter
from ..subjects import Subject
from .directed import TURN, Schedule, Search, Step
from .drive import Driver

# Any in this file: constants and states of either text.

#: The text of locks without what implementations need not do.
PLAIN: Final = Spec("locks", Gate, extends=locks, without=["early", "spurious"])
#: The methods of both that may wait; and those that do where a notify lingers, see `machines/locks.py`.
WAITS: Final = frozenset({"acquire", "wait"})
LINGERS: Final = WAITS | NOTIFIES


@dataclass(frozen=True)
class Case:
    """A primitive in one size: the model that judges it, the one whose steps it is led to, and what drives it.

    `call`: the method that every task calls in the end.  `lingers`: so do its notifies.
    """

    name: str
    model: Callable[[], Model[Any, Any]]
    plain: Callable[..., Model[Any, Any]]
    adapter: Callable[[Subject], Make]
    call: str = "acquire"
    lingers: bool = False

    def __str__(self) -> str:
        return self.name

    @cache  # noqa: B019  # the cases live as long as the module
    def search(self) -> Search[Any, Any]:
        """The search for its steps; the most expensive part of a test, and shared by all."""
        return Search(self.plain(), self.waits)

    @property
    def waits(self) -> frozenset[str]:
        return LINGERS if self.lingers else WAITS

    def steps(self) -> list[Step]:
        """The steps that schedules take, one of each class under renaming."""
        found = self.search()
        canon = self.plain(symmetric=True).canon
        assert canon is not None
        classes = [canon(s) for s in found.states]
        distinct: dict[Hashable, Step] = {}
        for step in found.found:
            distinct.setdefault((classes[step.before], step.event.name, classes[step.after]), step)
        return list(distinct.values())

    @cache  # noqa: B019
    def schedules(self) -> list[Schedule]:
        """All directed schedules, each once, shortest first."""
        found = dict.fromkeys(map(self.search().schedule, self.steps()))
        if self.lingers:
            found |= dict.fromkeys((*moves, TURN, last) for *moves, last in found)
        return sorted(found, key=len)

    @property
    def probe(self) -> Schedule:
        """Every task calls."""
        return (*(Event(self.call, (t,)) for t in sorted(self.model().k.tasks)), TURN)

    def path(self, schedule: Schedule) -> list[Line]:
        """What is recorded of an object that keeps to `schedule`."""
        return list(self.search().lines(schedule))

    def judged(self, subject: Subject) -> Driver:
        """What runs the primitive of `subject` along schedules, and holds it to the specification."""
        return Driver(self.adapter(subject), self.model(), self.waits)


def case(name: str, tasks: int, permits: int, sort: Sort, **more: Any) -> Case:
    """A lock, a semaphore or a condition; `more`: fields that differ."""
    size = tasks, permits, sort
    plain = partial(lock_model, *size, spec=PLAIN)
    return replace(Case(name, partial(lock_model, *size), plain, lock_adapter), **more)


LOCKS: Final = case("lock", 4, 1, LOCK)
MUTEXES: Final = case("semaphore of 1", 4, 1, SEMAPHORE)
SEMAPHORES: Final = case("semaphore of 2", 3, 2, SEMAPHORE)
CONDITIONS: Final = case("condition", 4, 0, CONDITION)
LINGERING: Final = case(
    "condition, lingering", 4, 0, CONDITION, adapter=partial(lock_adapter, lingering=True), lingers=True
)
EVENTS: Final = Case("event", partial(event_model, 4), partial(event_model, 4), event_adapter, call="wait")
CASES: Final = (LOCKS, MUTEXES, SEMAPHORES, CONDITIONS, LINGERING, EVENTS)
