"""The adapters of locks, semaphores, conditions and events, and the machines that check them.

Tasks call their methods (`objects.py`); a lock and a semaphore also show whether an acquire would wait.
The kind of the model selects one of them.

To wait at a condition, a task acquires the condition's lock, waits, and releases it.  A notify holds the lock, too.  A
*brief* notify is a plain call that acquires, notifies and releases at once, as a task does that awaits nothing
meanwhile: the lock is always free between turns.  A *lingering* one keeps the lock for one more turn, so that a woken
task finds it taken and may be cancelled while it waits for it; then a call takes place when its task has the lock.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable
from functools import cache
from typing import Any, Final

from spec.kit.core import Event, SpecError
from spec.locks import CONDITION, LOCK, SEMAPHORE, Kind, Permits, Said, event_model, lock_model
from spec.locks.events import Flag
from spec.locks.specification import alone

from ..subjects import IMPL, ConditionLike, Subject
from .adapter import Adapter, Make, Record
from .generator import SpecMachine, machine
from .objects import ObjectAdapter
from .outcomes import Raised, no_word, raised

NOTIFIES: Final = frozenset({"notify", "notify_all"})
#: The machines have so many tasks.
TASKS: Final = 4


def answers(subject: Subject) -> Callable[[object], Hashable]:
    """Says the outcome of a call, in the words of the texts."""

    def said(outcome: object) -> Hashable:
        if raised(outcome, subject.cancelled_error):
            return Said.CANCELLED
        return Said.DONE if outcome is True else no_word(outcome)

    return said


class LockAdapter(ObjectAdapter):
    """One lock or semaphore of `subject`, whichever `k` says."""

    def __init__(self, subject: Subject, k: Kind, record: Record) -> None:
        self.k = k
        self.lock = subject.new_semaphore(k.permits) if k.hand else subject.new_lock()
        super().__init__(subject, self.lock, record, answers(subject))

    def knows(self, name: str) -> bool:
        return super().knows(name) or name in NOTIFIES  # which its text never allows

    def see(self, s: Permits) -> bool:
        return self.lock.locked() == (s.free == 0 or (self.k.hand and not alone(self.k, s)))


class ConditionRoom:
    """A condition, with the names that a condition's text has: to wait there is to acquire."""

    def __init__(self, condition: ConditionLike) -> None:
        self.acquire = condition.wait
        self.condition = condition

    def notify(self) -> None:
        at_once(self.condition.acquire())
        self.condition.notify()
        self.condition.release()

    def notify_all(self) -> None:
        at_once(self.condition.acquire())
        self.condition.notify_all()
        self.condition.release()


class LingeringRoom:
    """Here a notify is the body of a task, which holds the lock already and keeps it for a turn."""

    def __init__(self, condition: ConditionLike, subject: Subject) -> None:
        self.acquire = condition.wait
        self.condition = condition
        self.sleep = subject.sleep

    async def notify(self) -> None:
        self.condition.notify()
        await self.sleep(0)

    async def notify_all(self) -> None:
        self.condition.notify_all()
        await self.sleep(0)


class ConditionAdapter(ObjectAdapter):
    """One condition of `subject`."""

    def __init__(self, subject: Subject, record: Record, lingering: bool) -> None:
        self.condition = subject.new_condition()
        room = LingeringRoom(self.condition, subject) if lingering else ConditionRoom(self.condition)
        super().__init__(subject, room, record, answers(subject))

    def knows(self, name: str) -> bool:
        return super().knows(name) or name == "release"  # which its text never allows

    async def call(self, event: Event, method: Callable[..., Any], args: list[Hashable]) -> None:  # Any: its result
        """The body of a task that takes the lock and then calls once."""
        try:
            await self.condition.acquire()
            try:
                self.takes_place(event)
                outcome = await method(*args)
            finally:
                self.condition.release()
        except (Exception, self.cancelled_error) as error:
            outcome = Raised(error)
        self.told(event.args[0], self.said(outcome))

    def see(self, s: Permits) -> bool:
        return True


class EventAdapter(ObjectAdapter):
    """One event of `subject`."""

    def __init__(self, subject: Subject, record: Record) -> None:
        self.event = subject.new_event()
        super().__init__(subject, self.event, record, answers(subject))

    def see(self, s: Flag) -> bool:
        return self.event.is_set() == s.up


def at_once(call: Coroutine[Any, Any, object]) -> None:  # Any: the yields belong to the runtime
    """Run a call that has nothing to wait for."""
    try:
        call.send(None)
    except StopIteration:
        return
    call.close()
    raise AssertionError("the lock is held between two turns")


def lock_adapter(subject: Subject, *, lingering: bool = False) -> Make:
    """Makes adapters of the locks, semaphores and conditions of `subject`; `lingering`: how conditions are notified.

    The returned function raises SpecError for a kind of primitive that asyncio does not have.
    """

    def make(k: Kind, record: Record) -> Adapter:
        if not k.keeps:
            return ConditionAdapter(subject, record, lingering)
        if k.barge or (k.permits > 1 and not k.hand):
            raise SpecError(f"locks: no primitive of asyncio is of this kind: {k}")
        return LockAdapter(subject, k, record)

    return make


def event_adapter(subject: Subject) -> Make:
    """Makes adapters of the events of `subject`."""
    return lambda k, record: EventAdapter(subject, record)


@cache
def lock_rules(withdraws: bool) -> type[SpecMachine]:
    """The machine of all locks and semaphores, which share the explored parts of the models."""
    kinds = (1, LOCK), (1, SEMAPHORE), (2, SEMAPHORE)
    models = [lock_model(TASKS, permits, sort, symmetric=True, withdraws=withdraws) for permits, sort in kinds]
    return machine(models, lock_adapter(IMPL))


@cache
def condition_rules(withdraws: bool) -> type[SpecMachine]:
    """The machine of all conditions."""
    model = lock_model(TASKS, 0, CONDITION, symmetric=True, withdraws=withdraws)
    return machine(model, lock_adapter(IMPL))


@cache
def event_rules(withdraws: bool) -> type[SpecMachine]:
    """The machine of all events."""
    return machine(event_model(TASKS, symmetric=True, withdraws=withdraws), event_adapter(IMPL))


def lock_machine(subject: Subject) -> type[SpecMachine]:
    """The machine that holds the locks and semaphores of `subject` to the specification."""
    return named("Lock", lock_rules(subject.withdraws), subject, lock_adapter(subject))


def condition_machine(subject: Subject) -> type[SpecMachine]:
    """The machine that holds the conditions of `subject` to the specification."""
    return named("Condition", condition_rules(subject.withdraws), subject, lock_adapter(subject))


def event_machine(subject: Subject) -> type[SpecMachine]:
    """The machine that holds the events of `subject` to the specification."""
    return named("Event", event_rules(subject.withdraws), subject, event_adapter(subject))


def named(what: str, rules: type[SpecMachine], subject: Subject, make: Make) -> type[SpecMachine]:
    return type(f"{what}Machine_{subject.name}", (rules,), {"make": staticmethod(make)})
