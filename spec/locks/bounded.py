"""The bounded models of locks and events, with pinned counts; and mutants that the check must refute.

What holds of every kind of primitive is checked in every kind: permits that are handed over and permits that a woken
waiter takes when it runs, newcomers that queue and newcomers that barge, notifies that are not kept.
"""

from __future__ import annotations

from typing import Final

from ..kit.bounded import Counts, Fails, Holds, Instance, only
from ..kit.core import Spec
from . import mutants
from .events import events
from .models import BARGING_LOCK, BARGING_SEMAPHORE, CONDITION, LOCK, SEMAPHORE, Sort, event_model, lock_model
from .specification import Gate, Kind, locks

#: The kinds, as they are called in titles.
NAMES: Final = {
    LOCK: "a lock",
    SEMAPHORE: "a semaphore",
    CONDITION: "a condition",
    BARGING_LOCK: "a lock that newcomers may take",
    BARGING_SEMAPHORE: "a semaphore that newcomers may take",
}


def gates(
    tasks: int,
    permits: int,
    sort: Sort,
    counts: tuple[int, int, int],
    *,
    symmetric: bool = False,
    live: bool = False,
    full: bool = False,
) -> Holds:
    """A primitive of one sort in one size; `counts`: states, edges, depth."""
    title = f"{NAMES[sort]}, tasks {tasks}" + (f", permits {permits}" if sort.keeps else "")
    return Holds(
        locks,
        title + (", up to renaming of tasks" if symmetric else ""),
        lambda: [lock_model(tasks, permits, sort, symmetric=symmetric)],
        Counts(1, *counts),
        live=live,
        full=full,
    )


def flags(tasks: int, counts: tuple[int, int, int], *, live: bool = False) -> Holds:
    """An event in one size; `counts`: states, edges, depth."""
    return Holds(events, f"tasks {tasks}", lambda: [event_model(tasks)], Counts(1, *counts), live=live)


def wrong_lock(
    broken: str,
    depth: int,
    sort: Sort,
    *,
    permits: int = 1,
    tasks: int = 2,
    spec: Spec[Kind, Gate] | None = None,
) -> Fails:
    """A primitive with the error that breaks this property, or with that of `spec`."""
    wrong = only(spec or mutants.MISTAKES[broken], broken)
    permits = permits if sort.keeps else 0
    return Fails(locks, wrong.name, lambda: lock_model(tasks, permits, sort, spec=wrong), broken, depth)


def wrong_event(broken: str, depth: int, *, tasks: int = 2) -> Fails:
    """An event with the error that breaks this property."""
    wrong = only(mutants.EVENT_MISTAKES[broken], broken)
    return Fails(events, wrong.name, lambda: event_model(tasks, spec=wrong), broken, depth)


LOCKS: list[Instance] = [
    gates(3, 1, LOCK, (181, 768, 8), live=True),
    gates(3, 2, SEMAPHORE, (532, 2_454, 10), live=True),
    gates(3, 0, CONDITION, (134, 846, 7), live=True),
    gates(4, 1, LOCK, (991, 5_296, 10)),
    gates(4, 2, LOCK, (3_275, 18_360, 12)),
    gates(4, 2, SEMAPHORE, (3_515, 20_184, 12)),
    gates(4, 0, CONDITION, (808, 6_576, 9)),
    gates(4, 1, BARGING_LOCK, (1_775, 10_056, 11)),
    gates(4, 2, BARGING_LOCK, (286, 1_697, 12), symmetric=True),
    gates(4, 2, BARGING_SEMAPHORE, (192, 1_123, 12), symmetric=True),
    gates(5, 2, SEMAPHORE, (354, 2_531, 14), symmetric=True),
    gates(5, 0, CONDITION, (120, 1_326, 11), symmetric=True),
    wrong_lock("nobody_lost", 6, LOCK),
    wrong_lock("nobody_lost", 7, SEMAPHORE, permits=2, spec=mutants.SELFISH),
    wrong_lock("conserved", 5, SEMAPHORE),
    wrong_lock("conserved", 4, SEMAPHORE, tasks=3, spec=mutants.GENEROUS),
    wrong_lock("served", 5, SEMAPHORE),
    wrong_lock("exclusive", 5, BARGING_LOCK),
    wrong_lock("clean", 1, CONDITION),
    wrong_lock("oldest_first", 3, CONDITION, tasks=3),
    wrong_lock("passed_on", 5, CONDITION),
    wrong_lock("lined_up", 3, CONDITION),
    wrong_lock("comes_to_rest", 3, LOCK),
    gates(4, 2, BARGING_LOCK, (5_371, 31_360, 12), full=True),
    gates(4, 3, SEMAPHORE, (9_441, 57_192, 14), full=True),
]

EVENTS: list[Instance] = [
    flags(3, (82, 519, 7), live=True),
    flags(4, (320, 2_668, 9)),
    wrong_event("none_beside", 2, tasks=1),
    wrong_event("woken_by_set", 3, tasks=3),
    wrong_event("served", 4),
    wrong_event("comes_to_rest", 2, tasks=1),
]
