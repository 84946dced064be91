"""The bounded models of locks and events, with pinned counts; and the mutants that the check must refute.

Rules common to all kinds of primitives are checked in every kind: permits that are handed over and permits that a woken
waiter takes when it runs, newcomers that queue and newcomers that barge, notifies that are not kept.
"""

from __future__ import annotations

from typing import Final

from ..kit.bounded import Counts, Fails, Holds, Instance, only
from ..kit.core import Spec
from . import event_mutants, mutants
from .events import Const, Flag, events
from .models import BARGING_LOCK, BARGING_SEMAPHORE, CONDITION, LOCK, SEMAPHORE, Sort, event_model, lock_model
from .specification import Kind, Permits, locks

#: The names of the kinds in titles.
NAMES: Final = {
    LOCK: "a lock",
    SEMAPHORE: "a semaphore",
    CONDITION: "a condition",
    BARGING_LOCK: "a lock that newcomers may take",
    BARGING_SEMAPHORE: "a semaphore that newcomers may take",
}

#: Claims about parts that only a kind of primitive has.
UNTIL_3_10: Final = "the semaphores of asyncio until 3.10 were of this kind"
PLAIN: Final = "asyncio.Lock itself: the other models are of other kinds"


def primitive(
    tasks: int,
    permits: int,
    sort: Sort,
    counts: tuple[int, int, int],
    *,
    symmetric: bool = False,
    live: bool = False,
    claim: str = "",
) -> Holds:
    """A primitive of one sort in one size; `counts`: states, edges, depth."""
    title = f"{NAMES[sort]}, tasks {tasks}" + (f", permits {permits}" if sort.keeps else "")
    return Holds(
        locks,
        title + (", up to renaming of tasks" if symmetric else ""),
        lambda: [lock_model(tasks, permits, sort, symmetric=symmetric, withdraws=not live)],
        Counts(1, *counts),
        live=live,
        claim=claim,
    )


def event(tasks: int, counts: tuple[int, int, int], *, live: bool = False) -> Holds:
    """An event in one size; `counts`: states, edges, depth."""
    return Holds(
        events,
        f"tasks {tasks}",
        lambda: [event_model(tasks, withdraws=not live)],
        Counts(1, *counts),
        live=live,
    )


def lock_mutant(
    broken: str,
    depth: int,
    sort: Sort,
    *,
    permits: int = 1,
    tasks: int = 2,
    spec: Spec[Kind, Permits] | None = None,
) -> Fails:
    """The mutant that breaks this property, or `spec`."""
    wrong = only(spec or mutants.MUTANTS[broken], broken)
    permits = permits if sort.keeps else 0
    return Fails(
        locks,
        wrong.name,
        lambda: lock_model(tasks, permits, sort, spec=wrong, withdraws=broken not in locks.progress),
        broken,
        depth,
    )


def event_mutant(broken: str, depth: int, *, tasks: int = 2, spec: Spec[Const, Flag] | None = None) -> Fails:
    """The mutant of an event that breaks this property, or `spec`."""
    wrong = only(spec or event_mutants.MUTANTS[broken], broken)
    return Fails(
        events,
        wrong.name,
        lambda: event_model(tasks, spec=wrong, withdraws=broken not in events.progress),
        broken,
        depth,
    )


LOCKS: list[Instance] = [
    primitive(3, 1, LOCK, (197, 855, 8), live=True, claim=PLAIN),
    primitive(3, 2, SEMAPHORE, (532, 2_454, 10), live=True),
    primitive(3, 0, CONDITION, (134, 846, 7), live=True),
    primitive(4, 2, BARGING_LOCK, (299, 2_173, 12), symmetric=True),
    primitive(4, 2, BARGING_SEMAPHORE, (192, 1_371, 12), symmetric=True, claim=UNTIL_3_10),
    primitive(5, 0, CONDITION, (120, 1_674, 11), symmetric=True),
    lock_mutant("no_lost_waiter", 6, LOCK),
    lock_mutant("no_lost_waiter", 7, SEMAPHORE, permits=2, spec=mutants.SELFISH),
    lock_mutant("no_lost_waiter", 5, LOCK, spec=mutants.FORGETFUL),
    lock_mutant("no_lost_waiter", 5, SEMAPHORE, tasks=3, spec=mutants.LAZY),
    lock_mutant("permits_are_conserved", 5, SEMAPHORE),
    lock_mutant("permits_are_conserved", 4, SEMAPHORE, tasks=3, spec=mutants.GENEROUS),
    lock_mutant("woken_task_gets_permit", 5, SEMAPHORE),
    lock_mutant(
        "woken_task_gets_permit", 2, CONDITION, spec=mutants.MUTANTS["only_cancelled_waiters_pass_on"]
    ),
    lock_mutant("one_holder_per_permit", 5, BARGING_LOCK),
    lock_mutant("no_negative_permits", 1, CONDITION),
    lock_mutant("no_negative_permits", 3, CONDITION, spec=mutants.KEEPING),
    lock_mutant("no_negative_permits", 1, LOCK, spec=mutants.RELEASING),
    lock_mutant("no_negative_permits", 2, LOCK, spec=mutants.OVERDRAWN),
    lock_mutant("oldest_first", 3, CONDITION, tasks=3),
    lock_mutant("passed_on", 5, CONDITION),
    lock_mutant("passed_on", 6, CONDITION, tasks=3, spec=mutants.ONE_PASSED_ON),
    lock_mutant("passed_on", 5, CONDITION, spec=mutants.SPREADING),
    lock_mutant("lined_up", 3, CONDITION),
    lock_mutant("acquires_at_once_if_free", 4, BARGING_LOCK),
    lock_mutant("only_running_tasks_release", 3, LOCK, spec=mutants.WAITING),
    lock_mutant("cancel_ends_the_wait", 4, LOCK),
    lock_mutant("cancel_ends_the_wait", 1, LOCK, spec=mutants.MEDDLING),
    lock_mutant("only_requests_taken_back", 1, LOCK),
    lock_mutant("only_requests_taken_back", 3, CONDITION, spec=mutants.PATIENT),
    lock_mutant("only_requests_taken_back", 4, CONDITION, spec=mutants.FORGETFUL),
    lock_mutant("only_requests_taken_back", 5, LOCK, spec=mutants.STUBBORN),
    lock_mutant("only_requests_taken_back", 2, CONDITION, spec=mutants.CONTRARY),
    lock_mutant("handed_over", 5, LOCK, spec=mutants.HASTY),
    lock_mutant("notify_wakes_a_waiter", 2, CONDITION),
    lock_mutant("notify_wakes_a_waiter", 4, CONDITION, tasks=3, spec=mutants.ONE_NOTIFY),
    lock_mutant("notify_wakes_a_waiter", 2, CONDITION, spec=mutants.CANCELLING),
    lock_mutant("only_running_tasks_notify", 2, CONDITION, spec=mutants.NOTIFYING),
    lock_mutant("only_cancelled_waiters_pass_on", 2, CONDITION),
    lock_mutant("only_cancelled_waiters_pass_on", 4, CONDITION, spec=mutants.TWICE),
    lock_mutant("only_cancelled_waiters_pass_on", 3, CONDITION, spec=mutants.STAYING),
    lock_mutant("only_cancelled_waiters_pass_on", 4, CONDITION, spec=mutants.SILENT),
    lock_mutant("frame", 3, CONDITION, tasks=3),
    lock_mutant("allowed", 1, LOCK),
    lock_mutant("allowed", 1, SEMAPHORE, spec=mutants.STINGY),
    lock_mutant("allowed", 3, LOCK, spec=mutants.FINAL),
    lock_mutant("comes_to_rest", 3, LOCK),
]

EVENTS: list[Instance] = [
    event(3, (154, 972, 8), live=True),
    event(4, (784, 7_792, 10)),
    event_mutant("none_beside", 2),
    event_mutant("woken_by_set", 2),
    event_mutant("leaves_only_when_woken", 4),
    event_mutant("leaves_only_when_woken", 4, spec=event_mutants.FORGETFUL),
    event_mutant("leaves_only_when_woken", 2, spec=event_mutants.MUTANTS["frame"]),
    event_mutant("was_set", 2, tasks=1),
    event_mutant("clear_unsets_the_flag", 2, tasks=1),
    event_mutant("clear_unsets_the_flag", 2, tasks=1, spec=event_mutants.LEAVING),
    event_mutant("waits_only_if_unset", 1, tasks=1),
    event_mutant("waits_only_if_unset", 4, spec=event_mutants.AGAIN),
    event_mutant("waits_only_if_unset", 2, tasks=1, spec=event_mutants.CONSUMING),
    event_mutant("cancel_ends_the_wait", 3),
    event_mutant("cancel_ends_the_wait", 1, tasks=1, spec=event_mutants.MEDDLING),
    event_mutant("cancel_ends_the_wait", 2, tasks=1, spec=event_mutants.MISTAKEN),
    event_mutant("only_requests_taken_back", 3),
    event_mutant("only_requests_taken_back", 2, tasks=1, spec=event_mutants.CONTRARY),
    event_mutant("only_requests_taken_back", 3, tasks=1, spec=event_mutants.PATIENT),
    event_mutant("frame", 2),
    event_mutant("allowed", 2, tasks=1),
    event_mutant("allowed", 2, tasks=1, spec=event_mutants.FINAL),
    event_mutant("allowed", 3, spec=event_mutants.LAST),
    event_mutant("comes_to_rest", 2, tasks=1),
]
