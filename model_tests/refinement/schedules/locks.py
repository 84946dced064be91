"""Directed schedules of locks, semaphores, conditions and events: to every step of small ones that a loop can take.

As for the queue (`queue.py`), but the models are so small that nothing is left out: of the steps that differ only in
the names of tasks, a schedule leads to the first.  Shorter schedules come first, so the first that is rejected is one
of the shortest.  After a schedule, when the loop is idle, every task calls once more: which calls return shows the
state.  No schedule leads to a step that the specification leaves to implementations (LOCK-13, COND-2); an
implementation that takes such a step leaves its path, and is judged all the same.

A lingering notify keeps the condition's lock for an iteration, so that a woken task waits for it.  The specification
does not describe that wait.  So each of these schedules is run once more with an iteration before the last move,
and that move then finds the woken tasks waiting for the lock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, Final

from spec.kit.core import Event, Spec
from spec.kit.model import Model
from spec.kit.monitor import Monitor
from spec.kit.trace import Line
from spec.locks import CONDITION, LOCK, SEMAPHORE, Permits, Sort, event_model, lock_model, locks

from ..machines.adapter import Make
from ..machines.locks import NOTIFIES, event_adapter, lock_adapter
from ..machines.shortest_paths import TURN, Schedule, ScheduleSearch, SearchStep, up_to_renaming
from ..subjects import Subject
from .drive import Driver

#: A model of either specification.
AnyModel = Model[Any, Any]

#: The specification of locks without the steps that implementations need not take.
PLAIN: Final = Spec("locks", Permits, extends=locks, without=["early", "spurious"])
#: The methods that may wait; and those that do if a notify lingers, see `machines/locks.py`.
WAITS: Final = frozenset({"acquire", "wait"})
LINGERS: Final = WAITS | NOTIFIES


@dataclass(frozen=True)
class SizedLock:
    """A primitive in one size.

    `model` judges it; `plain` has the steps that the schedules lead to; `adapter` drives an implementation of it.
    `call` is the method that every task calls in the end; `lingers` says whether a notify keeps the lock.
    """

    name: str
    model: Callable[..., AnyModel]
    plain: Callable[..., AnyModel]
    adapter: Callable[[Subject], Make]
    call: str = "acquire"
    lingers: bool = False

    def __str__(self) -> str:
        return self.name

    @cache  # noqa: B019  # the cases live as long as the module
    def search(self) -> ScheduleSearch[Any, Any]:  # Any: as in AnyModel
        """Return the search for its steps; it is the expensive part of a test, so all tests share it."""
        return ScheduleSearch(self.plain(), self.waits)

    @property
    def waits(self) -> frozenset[str]:
        return LINGERS if self.lingers else WAITS

    def steps(self) -> list[SearchStep]:
        """Return the steps that schedules take, one of each class under renaming."""
        return list(up_to_renaming(self.search(), self.plain(symmetric=True).canon))

    @cache  # noqa: B019
    def schedules(self) -> list[Schedule]:
        """Return all directed schedules, each once, shortest first."""
        found = dict.fromkeys(map(self.search().schedule, self.steps()))
        if self.lingers:
            found |= dict.fromkeys((*moves, TURN, last) for *moves, last in found)
        return sorted(found, key=len)

    def withdrawals(self) -> list[Schedule]:
        """Return a shortest schedule to each state, followed by a request that is taken back, and an iteration."""
        return self.search().withdrawals(self.plain(withdraws=True))

    @cached_property
    def probe(self) -> Schedule:
        """A call by every task."""
        return (*(Event(self.call, (t,)) for t in sorted(self.model().k.tasks)), TURN)

    def path(self, schedule: Schedule) -> list[Line]:
        """Return the trace of an object that takes the steps of `schedule`."""
        return list(self.search().lines(schedule))

    def judged(self, subject: Subject) -> Driver:
        """Return a driver that runs the primitive of `subject` along schedules and judges it by the specification."""
        return Driver(self.adapter(subject), self.monitor(subject.withdraws), self.waits)

    @cache  # noqa: B019  (the cases are constants of this module)
    def monitor(self, withdraws: bool) -> Monitor[Any, Any]:
        """Return the monitor of all subjects; their runs share its knowledge of states."""
        return Monitor(self.model(withdraws=withdraws))


def case(name: str, tasks: int, permits: int, sort: Sort, **more: Any) -> SizedLock:  # Any: fields of any type
    """Return the case of a lock, a semaphore or a condition, with `more` of its fields."""
    size = tasks, permits, sort
    plain = partial(lock_model, *size, spec=PLAIN, withdraws=False)
    return replace(SizedLock(name, partial(lock_model, *size), plain, lock_adapter), **more)


LOCKS: Final = case("lock", 4, 1, LOCK)
MUTEXES: Final = case("semaphore of 1", 4, 1, SEMAPHORE)
SEMAPHORES: Final = case("semaphore of 2", 4, 2, SEMAPHORE)
CONDITIONS: Final = case("condition", 4, 0, CONDITION)
LINGERING: Final = case(
    "condition, lingering", 4, 0, CONDITION, adapter=partial(lock_adapter, lingering=True), lingers=True
)
EVENTS: Final = SizedLock(
    "event", partial(event_model, 4), partial(event_model, 4, withdraws=False), event_adapter, call="wait"
)
CASES: Final = (LOCKS, MUTEXES, SEMAPHORES, CONDITIONS, LINGERING, EVENTS)
