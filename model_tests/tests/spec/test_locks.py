"""The specifications of locks and events: handwritten runs that they allow or forbid, and consequences of the rules.

A freedom of implementations is allowed with the rule that grants it, and forbidden without it.
"""

from typing import Any

import pytest

from spec.kit.bounded import Fails, Holds
from spec.kit.core import Event, Spec, SpecError
from spec.kit.model import Model
from spec.kit.monitor import Monitor, Rejected
from spec.kit.search import Violation, check
from spec.kit.trace import Do, End, Line, Return
from spec.locks import (
    BARGING_LOCK,
    BARGING_SEMAPHORE,
    CONDITION,
    LOCK,
    SEMAPHORE,
    At,
    Kind,
    Permits,
    Said,
    Sort,
    Task,
    event_model,
    lock_model,
    locks,
)
from spec.locks.events import events
from spec.registry import REGISTRY

#: The kinds of asyncio, and how many permits they have to begin with.
ASYNCIO = [(LOCK, 1), (SEMAPHORE, 1), (SEMAPHORE, 2), (CONDITION, 0)]


def lines(run: str) -> list[Line]:
    """A run in words: `acquire 0` takes place, `0 done` and `0 cancelled` are answers, `.` is a loop at rest."""
    told: list[Line] = []
    for words in (part.split() for part in run.split(", ")):
        match words:
            case ["."]:
                told.append(End())
            case [caller, answer] if caller.isdigit():
                told.append(Return(int(caller), Said(answer)))
            case [name, caller]:
                told.append(Do(Event(name, (int(caller),))))
    return told


def allowed(model: Model[Any, Any], run: str) -> bool:  # Any: of either text
    try:
        Monitor(model).follow(lines(run))
    except Rejected:
        return False
    return True


def without(*names: str) -> Spec[Kind, Permits]:
    return Spec("locks", Permits, extends=locks, without=names)


@pytest.mark.parametrize(("run", "is_allowed"), [
    ("acquire 0, 0 done, release 0, 0 done, .", True),
    ("acquire 0, 0 done, acquire 1, release 0, 0 done, 1 done, .", True),
    # no task waits beside a free lock (LOCK-8)
    ("acquire 0, 0 done, acquire 1, release 0, 0 done, .", False),
    # two holders (LOCK-7)
    ("acquire 0, 0 done, acquire 1, 1 done", False),
    # the wake-up of a cancelled waiter is passed on (LOCK-5)
    ("acquire 0, 0 done, acquire 1, acquire 2, release 0, 0 done, cancel 1, 1 cancelled, 2 done, .", True),
    ("acquire 0, 0 done, acquire 1, acquire 2, release 0, 0 done, cancel 1, 1 cancelled, .", False),
    # a cancel that arrived in time is not lost (LOCK-16)
    ("acquire 0, 0 done, acquire 1, release 0, 0 done, cancel 1, 1 done", False),
    # the first waiter is first (LOCK-10), and is not overtaken (SEM-2)
    ("acquire 0, 0 done, acquire 1, acquire 2, release 0, 0 done, 2 done", False),
    ("acquire 0, 0 done, acquire 1, release 0, 0 done, acquire 0, 0 done", False),
    # a waiter that was woken, cancelled and uncancelled has it; one that was not woken does not (LOCK-18)
    ("acquire 0, 0 done, acquire 1, release 0, 0 done, cancel 1, uncancel 1, 1 done, .", True),
    ("acquire 0, 0 done, acquire 1, release 0, 0 done, cancel 1, uncancel 1, 1 cancelled", False),
    ("acquire 0, 0 done, acquire 1, cancel 1, uncancel 1, 1 cancelled, .", True),
    # except by one that no longer waits
    ("acquire 0, 0 done, acquire 1, cancel 1, release 0, 0 done, acquire 0, 0 done, 1 cancelled, .", True),
])  # fmt: skip
@pytest.mark.parametrize("sort", [LOCK, SEMAPHORE], ids=["lock", "semaphore"])
def test_runs_of_a_lock(sort: Sort, run: str, is_allowed: bool) -> None:
    assert allowed(lock_model(3, 1, sort), run) == is_allowed


def test_newcomers_overtake_where_they_may() -> None:
    """A waiter that finds the permit taken waits again: a rule that asyncio's own kinds never use."""
    run = "acquire 0, 0 done, acquire 1, release 0, 0 done, acquire 0, 0 done, release 0, 0 done, 1 done, ."
    assert allowed(lock_model(2, 1, BARGING_LOCK), run)
    assert not allowed(lock_model(2, 1, LOCK), run)
    for sort, permits in ASYNCIO:
        model = lock_model(3, permits, sort)
        for s in check(model).states:
            for t in model.k.tasks:
                assert all(after.at[t] != At.WAIT for after in model.after(s, Event("resume", (t,))))


@pytest.mark.parametrize(("run", "is_allowed"), [
    ("acquire 0, notify 1, 1 done, 0 done, .", True),
    ("acquire 0, acquire 1, notify 2, 2 done, 0 done, .", True),
    ("acquire 0, acquire 1, notify 2, 2 done, 1 done", False),  # oldest first
    ("acquire 0, acquire 1, notify 2, 2 done, notify 2, 2 done, 1 done, 0 done, .", True),
    ("acquire 0, acquire 1, notify_all 2, 2 done, 1 done, 0 done, .", True),
    ("acquire 0, acquire 1, notify_all 2, 2 done, 0 done, .", False),
    ("notify 1, 1 done, acquire 0, 0 done", False),  # it is not kept
    # the notify of a cancelled waiter is passed on (COND-6, gh-112202)
    ("acquire 0, acquire 1, notify 2, 2 done, cancel 0, 0 cancelled, 1 done, .", True),
    ("acquire 0, acquire 1, notify 2, 2 done, cancel 0, 0 cancelled, .", False),
    ("acquire 0, notify 2, 2 done, cancel 0, 0 cancelled, .", True),  # or is gone
    # a request that is taken back after it was delivered has its error (LOCK-18)
    ("acquire 0, notify 2, 2 done, cancel 0, uncancel 0, 0 done, .", True),
    ("acquire 0, notify 2, 2 done, cancel 0, uncancel 0, 0 cancelled, .", True),
])  # fmt: skip
def test_runs_of_a_condition(run: str, is_allowed: bool) -> None:
    assert allowed(lock_model(3, 0, CONDITION), run) == is_allowed


def test_a_wait_may_return_unnotified() -> None:
    """COND-2: CPython 3.13 wakes another when a waiter is cancelled, whether it had been notified or not."""
    run = "acquire 0, acquire 1, cancel 0, 0 cancelled, 1 done, ."
    assert allowed(lock_model(2, 0, CONDITION), run)
    assert allowed(lock_model(2, 0, CONDITION), "acquire 0, acquire 1, cancel 0, 0 cancelled, .")
    assert not allowed(lock_model(2, 0, CONDITION, spec=without("spurious")), run)


def test_a_further_permit_may_be_handed_over_early() -> None:
    """LOCK-13: 1 and 2 queue behind 0, which is woken; a second permit is free; 1 may get it before 0 has run."""
    run = (
        "acquire 3, 3 done, acquire 3, 3 done, acquire 0, release 3, 3 done, release 3, 3 done, "
        "acquire 1, 1 done, cancel 0, 0 cancelled, ."
    )
    assert allowed(lock_model(4, 2, SEMAPHORE), run)
    assert not allowed(lock_model(4, 2, SEMAPHORE, spec=without("early")), run)


def test_a_lock_may_leave_the_offer_to_a_cancelled_waiter() -> None:
    """LOCK-2: 1 is cancelled and has not run, so that asyncio's lock wakes 2 only when it does."""
    run = (
        "acquire 0, 0 done, acquire 1, acquire 2, cancel 1, release 0, 0 done, cancel 2, uncancel 2, "
        "1 cancelled, 2 cancelled, ."
    )
    assert allowed(lock_model(3, 1, LOCK), run)
    assert not allowed(lock_model(3, 1, SEMAPHORE), run)
    assert not allowed(lock_model(3, 1, LOCK), run.replace(", 2 cancelled", ""))


@pytest.mark.parametrize(("run", "is_allowed"), [
    ("wait 0, wait 1, set 2, 2 done, 1 done, 0 done, .", True),
    ("wait 0, wait 1, set 2, 2 done, 1 done, .", False),
    ("set 2, 2 done, wait 0, 0 done, .", True),
    ("set 2, 2 done, wait 0, .", False),
    ("set 2, 2 done, clear 2, 2 done, wait 0, .", True),
    ("set 2, 2 done, clear 2, 2 done, wait 0, 0 done", False),
    ("wait 0, set 2, 2 done, clear 2, 2 done, 0 done, .", True),  # EVENT-4
    ("wait 0, set 2, 2 done, clear 2, 2 done, .", False),
    ("wait 0, set 2, 2 done, cancel 0, 0 cancelled, .", True),
    ("wait 0, wait 1, cancel 0, set 2, 2 done, 0 cancelled, 1 done, .", True),
    ("wait 0, 0 done", False),
    ("wait 0, set 2, 2 done, cancel 0, uncancel 0, 0 done, .", True),  # EVENT-13
    ("wait 0, cancel 0, uncancel 0, set 2, 2 done, 0 done", False),
])  # fmt: skip
def test_runs_of_an_event(run: str, is_allowed: bool) -> None:
    assert allowed(event_model(3), run) == is_allowed


def test_what_is_no_primitive() -> None:
    for sort, permits in [(LOCK, 0), (CONDITION, 1), (Sort(hand=False, keeps=False), 0)]:
        with pytest.raises(SpecError, match="kinds"):
            lock_model(2, permits, sort)
    with pytest.raises(SpecError, match="some_tasks"):
        event_model(0)


@pytest.mark.parametrize(("sort", "permits"), ASYNCIO)
def test_a_task_waits_beside_a_free_permit_only_behind_a_woken_one(sort: Sort, permits: int) -> None:
    """LOCK-8 is not vacuous: such states exist, except for a semaphore of 1 and a condition."""
    beside = [s for s in check(lock_model(3, permits, sort)).states if s.free and At.WAIT in s.at.values()]
    assert bool(beside) == (sort == LOCK or permits == 2)
    passes_on = (At.WOKEN, At.LATE, At.GONE) if sort == LOCK else (At.WOKEN, At.LATE)
    assert all(any(s.at[Task(t)] in passes_on for t in range(3)) for s in beside)


def test_a_lock_has_the_states_of_a_semaphore_of_one_and_those_in_which_it_leaves_the_offer() -> None:
    """A single permit, handed over or not: no other task could take it meanwhile."""

    def seen(s: Permits) -> tuple[object, ...]:
        return tuple(s.at.items()), tuple(s.held.items()), s.line

    lock, semaphore = (check(lock_model(4, 1, sort)) for sort in (LOCK, SEMAPHORE))
    both = {seen(s) for s in semaphore.states}
    assert both < {seen(s) for s in lock.states}
    left = [s for s in lock.states if seen(s) not in both]
    assert all(s.free == 1 and At.GONE in s.at.values() for s in left)
    assert len(lock.states) == len(semaphore.states) + len(left)


def test_all_kinds_are_checked() -> None:
    instances = [i for i in REGISTRY if i.spec is locks and isinstance(i, Holds) and not i.full]
    kinds = {Sort(m.k.hand, m.k.barge, m.k.keeps) for i in instances for m in i.models()}
    assert kinds == {LOCK, SEMAPHORE, BARGING_LOCK, BARGING_SEMAPHORE, CONDITION}
    broken = {i.broken for i in REGISTRY if isinstance(i, Fails) and i.spec is events}
    assert broken == {*events.properties, "frame", "allowed"}


def test_a_property_of_ones_own_is_looked_at() -> None:
    mine = Spec("mine", Permits, extends=locks)

    @mine.invariant
    def nobody_waits(k: Kind, s: Permits) -> bool:
        """MY-1: With as many permits as tasks, no task waits."""
        return len(k.tasks) > k.permits or all(s.at[t] == At.OUT for t in k.tasks)

    with pytest.raises(Violation, match=r"nobody_waits \(MY-1\) is broken after 3 steps"):
        check(lock_model(2, 2, SEMAPHORE, spec=mine))  # one of them takes both
