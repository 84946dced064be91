"""The bounded models of tasks, with pinned counts; and mutants that the check must refute.

Tasks are checked in any order, which is all that a portable program can rely on, and first in, first out, as asyncio
runs them.  The latter is a filter (`kit/fifo.py`): its states are states of the specification, and it adds that every
ready job gets its turn (TASK-22).  That cancel() hop by hop implements the cancel() of one step is a refinement.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..kit.bounded import Counts, Fails, Holds, Instance, Refines, failing, only
from . import hop_mutants, mutants
from .hops import task_hops, view
from .models import hops_model, task_fifo_model, task_model
from .specification import task

#: cancel() hop by hop refines cancel() in one step.
IN_ONE_STEP = Refines(
    lambda low: task_model(
        len(low.k.tasks),
        len(low.k.all) - len(low.k.tasks) - len(low.k.shields),
        [low.k.inner[o] for o in sorted(low.k.shields)],
        most=low.k.most,
    ),
    view,
)

#: Claims of models that are explored only, and not proved.
TURNS = "that every ready job gets its turn is explored only"
REFINED = "that cancel() hop by hop refines cancel() in one step is explored only"


def size(tasks: int, futures: int, shields: Sequence[int], most: int) -> str:
    """The size of a loop, for a title."""
    kinds = ["a task" if x < tasks else "a future" for x in shields]
    return (
        f"tasks {tasks}, futures {futures}"
        + (f", a shield of {' and of '.join(kinds)}" if kinds else "")
        + (f", up to {most} requests" if most > 1 else "")
    )


def tasks(
    number: int,
    futures: int,
    shields: Sequence[int],
    counts: tuple[int, int, int],
    *,
    most: int = 1,
    fifo: bool = False,
    symmetric: bool = False,
    withdraws: bool = True,
    live: bool = False,
    full: bool = False,
    claim: str = "",
) -> Holds:
    """A loop of one size; `counts`: states, edges, depth."""
    make = task_fifo_model if fifo else task_model
    title = size(number, futures, shields, most) + (", first in, first out" if fifo else "")
    return Holds(
        task,
        title + ("" if withdraws else ", no request taken back") + (", up to renaming" if symmetric else ""),
        lambda: [make(number, futures, shields, most=most, withdraws=withdraws, symmetric=symmetric)],
        Counts(1, *counts),
        live=live,
        full=full,
        claim=claim,
    )


def hops(
    number: int,
    futures: int,
    shields: Sequence[int],
    counts: tuple[int, int, int],
    *,
    most: int = 1,
    symmetric: bool = False,
    full: bool = False,
    claim: str = "",
) -> Holds:
    """A loop of one size, with cancel() hop by hop; `counts`: states, edges, depth."""
    return Holds(
        task_hops,
        size(number, futures, shields, most) + (", up to renaming" if symmetric else ""),
        lambda: [hops_model(number, futures, shields, most=most, symmetric=symmetric)],
        Counts(1, *counts),
        live=not symmetric,
        refines=IN_ONE_STEP,
        full=full,
        claim=claim,
    )


task_mutant = failing(task, task_model, mutants.MUTANTS, tasks=1, futures=1)


hop_mutant = failing(task_hops, hops_model, hop_mutants.MUTANTS, tasks=1, futures=1)


TASK: list[Instance] = [
    tasks(1, 1, [], (223, 1_360, 9), most=2),
    tasks(1, 1, [1], (427, 2_966, 9)),
    tasks(2, 1, [], (2_000, 11_641, 14), fifo=True, withdraws=False, live=True),
    tasks(1, 1, [], (109, 522, 8), withdraws=False, claim="no request is taken back in any order"),
    task_mutant("no_lost_wakeup", 3),
    task_mutant("no_waiting_task_runs", 4),
    task_mutant("futures_only", 2),
    task_mutant("futures_only", 2, mutants.reaching),
    task_mutant("futures_only", 2, mutants.reached),
    task_mutant("no_await_before_begin", 1),
    task_mutant("no_await_before_begin", 2, mutants.as_new),
    task_mutant("no_lost_request", 4),
    task_mutant("handed_on", 3),
    task_mutant("cancelling_never_negative", 1),
    task_mutant("cancelling_never_negative", 1, mutants.uncounted),
    task_mutant("no_circle", 4, tasks=2),
    task_mutant("chain_edges", 1),
    task_mutant("chain_edges", 2, mutants.unreached),
    task_mutant("chain_only", 3),
    task_mutant("chain_order", 4, tasks=2),
    task_mutant("done_stays_done", 2),
    task_mutant("no_call_runs_a_task", 3),
    task_mutant("no_call_runs_a_task", 4, mutants.handing_on, tasks=2, futures=0),
    task_mutant("no_result_if_cancelled", 3),
    task_mutant("own_end", 1),
    task_mutant("own_end", 3, mutants.ending_others, tasks=2, futures=0),
    task_mutant("own_end", 4, mutants.late_stillborn),
    task_mutant("only_cancelled_tasks_forward", 2),
    task_mutant("only_cancelled_tasks_forward", 2, mutants.asking, tasks=2, futures=0),
    task_mutant("owed_cancel_is_thrown", 4),
    task_mutant("owed_cancel_is_thrown", 3, mutants.forgiven),
    task_mutant("owed_cancel_is_thrown", 4, mutants.with_a_result),
    task_mutant("owed_cancel_is_thrown", 3, mutants.too_much, most=2),
    task_mutant("owed_cancel_is_thrown", 6, mutants.for_all, tasks=2, futures=0),
    task_mutant("owed_cancel_is_thrown", 5, mutants.too_late, tasks=2, futures=0),
    task_mutant("owed_cancel_is_thrown", 5, mutants.to_a_waiter, tasks=2, futures=0),
    task_mutant("every_request_arrives", 3, tasks=2, futures=0),
    task_mutant("every_request_arrives", 3, mutants.nowhere),
    task_mutant("begins_with_first_line", 2),
    task_mutant("one_by_one", 1),
    task_mutant("one_by_one", 1, mutants.unowed),
    task_mutant("one_by_one", 3, mutants.all_back, most=2),
    task_mutant("shield_protects_inner", 1, shields=[1]),
    task_mutant("shield_protects_inner", 1, mutants.early_relay, shields=[1]),
    task_mutant("ends_as_its_coroutine", 3),
    task_mutant("goes_on", 2),
    task_mutant("goes_on", 2, mutants.early),
    task_mutant("requests_within_limit", 2, tasks=2, futures=0),
    task_mutant("requests_within_limit", 2, mutants.beyond),
    task_mutant("uncancel_counts_one_less", 3, most=2),
    task_mutant("uncancel_counts_one_less", 3, mutants.too_much, most=2),
    task_mutant("frame", 2),
    task_mutant("allowed", 0),
    Fails(
        task,
        "in any order, another task gets all turns",
        lambda: task_model(2, 0, withdraws=False, spec=only(task, "ready_job_gets_its_turn")),
        "ready_job_gets_its_turn",
        1,
    ),
    tasks(2, 2, [], (11_842, 102_262, 15), fifo=True, withdraws=False, live=True, full=True, claim=TURNS),
    tasks(2, 1, [2], (6_842, 44_991, 15), fifo=True, withdraws=False, live=True, full=True, claim=TURNS),
]

TASK_HOPS: list[Instance] = [
    hops(1, 1, [1], (652, 2_330, 13)),
    hops(2, 0, [1], (2_308, 7_430, 16), claim=REFINED),
    hop_mutant("request_follows_the_wait", 2, shields=[1]),
    hop_mutant("request_follows_the_wait", 6, hop_mutants.past_one, tasks=2),
    hop_mutant("request_follows_the_wait", 6, hop_mutants.two, tasks=2),
    hop_mutant("requests_within_limit", 4, tasks=2, futures=0, shields=[0]),
    hop_mutant("frame", 2),
    hop_mutant("cancel_returns", 7, tasks=2),
    hop_mutant("cancel_returns", 1, hop_mutants.stuck),
    Fails(
        task_hops,
        hop_mutants.done_asked.name,
        lambda: hops_model(1, 1, spec=hop_mutants.done_asked),
        "refinement",
        5,
        refines=IN_ONE_STEP,
    ),
    Fails(
        task_hops,
        hop_mutants.stops.name,
        lambda: hops_model(2, 1, spec=hop_mutants.stops),
        "refinement",
        4,
        refines=IN_ONE_STEP,
    ),
    hops(2, 1, [1], (13_707, 60_894, 17), full=True, claim=REFINED),
    hops(3, 1, [], (18_868, 106_765, 21), symmetric=True, full=True, claim=REFINED),
]
