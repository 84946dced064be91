"""The bounded models of locks and events, with pinned counts; and the mutants that the check must refute.

Rules common to all kinds of primitives are checked in every kind: permits that are handed over and permits that a woken
waiter takes when it runs, newcomers that queue and newcomers that barge, notifies that are not kept.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from ..kit.bounded import Counts, Holds, Instance, failing
from ..kit.core import Spec
from ..kit.model import Model
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
    new = partial(event_model, tasks, withdraws=not live)
    return Holds(events, f"tasks {tasks}", lambda: [new()], Counts(1, *counts), live=live)


def lock_mutant_model(spec: Spec[Kind, Permits], sort: Sort, permits: int = 1, *, tasks: int) -> Model[Kind, Permits]:
    """The model of a mutant; a leads-to property is asked where no request is taken back."""
    permits = permits if sort.keeps else 0
    return lock_model(tasks, permits, sort, spec=spec, withdraws=not spec.progress)


def event_mutant_model(spec: Spec[Const, Flag], tasks: int) -> Model[Const, Flag]:
    """The same of an event."""
    return event_model(tasks, spec=spec, withdraws=not spec.progress)


lock_mutant = failing(locks, lock_mutant_model, mutants.MUTANTS, tasks=2)
event_mutant = failing(events, event_mutant_model, event_mutants.MUTANTS, tasks=2)


LOCKS: list[Instance] = [
    primitive(3, 1, LOCK, (197, 855, 8), live=True, claim=PLAIN),
    primitive(3, 2, SEMAPHORE, (532, 2_454, 10), live=True),
    primitive(3, 0, CONDITION, (134, 846, 7), live=True),
    primitive(4, 2, BARGING_LOCK, (299, 2_173, 12), symmetric=True),
    primitive(4, 2, BARGING_SEMAPHORE, (192, 1_371, 12), symmetric=True, claim=UNTIL_3_10),
    primitive(5, 0, CONDITION, (120, 1_674, 11), symmetric=True),
    lock_mutant("no_lost_waiter", 6, sort=LOCK),
    lock_mutant("no_lost_waiter", 7, mutants.SELFISH, sort=SEMAPHORE, permits=2),
    lock_mutant("no_lost_waiter", 5, mutants.FORGETFUL, sort=LOCK),
    lock_mutant("no_lost_waiter", 5, mutants.LAZY, sort=SEMAPHORE, tasks=3),
    lock_mutant("permits_are_conserved", 5, sort=SEMAPHORE),
    lock_mutant("permits_are_conserved", 4, mutants.GENEROUS, sort=SEMAPHORE, tasks=3),
    lock_mutant("woken_task_gets_permit", 5, sort=SEMAPHORE),
    lock_mutant("woken_task_gets_permit", 2, mutants.MUTANTS["only_cancelled_waiters_pass_on"], sort=CONDITION),
    lock_mutant("one_holder_per_permit", 5, sort=BARGING_LOCK),
    lock_mutant("no_negative_permits", 1, sort=CONDITION),
    lock_mutant("no_negative_permits", 3, mutants.KEEPING, sort=CONDITION),
    lock_mutant("no_negative_permits", 1, mutants.RELEASING, sort=LOCK),
    lock_mutant("no_negative_permits", 2, mutants.OVERDRAWN, sort=LOCK),
    lock_mutant("oldest_first", 3, sort=CONDITION, tasks=3),
    lock_mutant("passed_on", 5, sort=CONDITION),
    lock_mutant("passed_on", 6, mutants.ONE_PASSED_ON, sort=CONDITION, tasks=3),
    lock_mutant("passed_on", 5, mutants.SPREADING, sort=CONDITION),
    lock_mutant("lined_up", 3, sort=CONDITION),
    lock_mutant("acquires_at_once_if_free", 4, sort=BARGING_LOCK),
    lock_mutant("only_running_tasks_release", 3, mutants.WAITING, sort=LOCK),
    lock_mutant("cancel_ends_the_wait", 4, sort=LOCK),
    lock_mutant("cancel_ends_the_wait", 1, mutants.MEDDLING, sort=LOCK),
    lock_mutant("only_requests_taken_back", 1, sort=LOCK),
    lock_mutant("only_requests_taken_back", 3, mutants.PATIENT, sort=CONDITION),
    lock_mutant("only_requests_taken_back", 4, mutants.FORGETFUL, sort=CONDITION),
    lock_mutant("only_requests_taken_back", 5, mutants.STUBBORN, sort=LOCK),
    lock_mutant("only_requests_taken_back", 2, mutants.CONTRARY, sort=CONDITION),
    lock_mutant("handed_over", 5, mutants.HASTY, sort=LOCK),
    lock_mutant("notify_wakes_a_waiter", 2, sort=CONDITION),
    lock_mutant("notify_wakes_a_waiter", 4, mutants.ONE_NOTIFY, sort=CONDITION, tasks=3),
    lock_mutant("notify_wakes_a_waiter", 2, mutants.CANCELLING, sort=CONDITION),
    lock_mutant("only_running_tasks_notify", 2, mutants.NOTIFYING, sort=CONDITION),
    lock_mutant("only_cancelled_waiters_pass_on", 2, sort=CONDITION),
    lock_mutant("only_cancelled_waiters_pass_on", 4, mutants.TWICE, sort=CONDITION),
    lock_mutant("only_cancelled_waiters_pass_on", 3, mutants.STAYING, sort=CONDITION),
    lock_mutant("only_cancelled_waiters_pass_on", 4, mutants.SILENT, sort=CONDITION),
    lock_mutant("frame", 3, sort=CONDITION, tasks=3),
    lock_mutant("allowed", 1, sort=LOCK),
    lock_mutant("allowed", 1, mutants.STINGY, sort=SEMAPHORE),
    lock_mutant("allowed", 3, mutants.FINAL, sort=LOCK),
    lock_mutant("comes_to_rest", 3, sort=LOCK),
]

EVENTS: list[Instance] = [
    event(3, (154, 972, 8), live=True),
    event(4, (784, 7_792, 10)),
    event_mutant("none_beside", 2),
    event_mutant("woken_by_set", 2),
    event_mutant("leaves_only_when_woken", 4),
    event_mutant("leaves_only_when_woken", 4, event_mutants.FORGETFUL),
    event_mutant("leaves_only_when_woken", 2, event_mutants.MUTANTS["frame"]),
    event_mutant("was_set", 2, tasks=1),
    event_mutant("clear_unsets_the_flag", 2, tasks=1),
    event_mutant("clear_unsets_the_flag", 2, event_mutants.LEAVING, tasks=1),
    event_mutant("waits_only_if_unset", 1, tasks=1),
    event_mutant("waits_only_if_unset", 4, event_mutants.AGAIN),
    event_mutant("waits_only_if_unset", 2, event_mutants.CONSUMING, tasks=1),
    event_mutant("cancel_ends_the_wait", 3),
    event_mutant("cancel_ends_the_wait", 1, event_mutants.MEDDLING, tasks=1),
    event_mutant("cancel_ends_the_wait", 2, event_mutants.MISTAKEN, tasks=1),
    event_mutant("only_requests_taken_back", 3),
    event_mutant("only_requests_taken_back", 2, event_mutants.CONTRARY, tasks=1),
    event_mutant("only_requests_taken_back", 3, event_mutants.PATIENT, tasks=1),
    event_mutant("frame", 2),
    event_mutant("allowed", 2, tasks=1),
    event_mutant("allowed", 2, event_mutants.FINAL, tasks=1),
    event_mutant("allowed", 3, event_mutants.LAST),
    event_mutant("comes_to_rest", 2, tasks=1),
]
