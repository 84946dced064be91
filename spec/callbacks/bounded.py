"""The bounded models of callbacks and timers, with pinned counts; and the mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Holds, Instance, failing
from . import mutants
from .models import callback_model
from .specification import callbacks


def loop(handles: int, times: int, counts: tuple[int, int, int], *, symmetric: bool = False, claim: str = "") -> Holds:
    """A loop in one size; `counts`: states, edges, depth."""
    title = f"callbacks {handles}, times {times}"
    return Holds(
        callbacks,
        title + (", up to renaming" if symmetric else ""),
        lambda: [callback_model(handles, times, symmetric=symmetric)],
        Counts(1, *counts),
        live=not symmetric,
        claim=claim,
    )


callback_mutant = failing(callbacks, callback_model, mutants.MUTANTS, handles=2, times=2)


CALLBACKS: list[Instance] = [
    loop(2, 3, (2_087, 7_924, 9), claim="due_callback_is_called is checked in a model without symmetry only"),
    loop(3, 2, (2_968, 13_885, 12), symmetric=True),
    callback_mutant("lined_up", 4),
    callback_mutant("lined_up", 3, mutants.CHAINED, handles=3),
    callback_mutant("told_apart", 2),
    callback_mutant("one_batch", 3),
    callback_mutant("own_timers", 1),
    callback_mutant("one_runs", 3),
    callback_mutant("not_early", 3),
    callback_mutant("no_lost_wakeup", 2),
    callback_mutant("no_lost_wakeup", 4, mutants.SLEEPING),
    callback_mutant("called_at_most_once", 4),
    callback_mutant("called_at_most_once", 4, mutants.AGAIN),
    callback_mutant("called_at_most_once", 3, mutants.UNSEEN),
    callback_mutant("called_at_most_once", 2, mutants.OVERDUE),
    callback_mutant("called_at_most_once", 2, mutants.UNCALLED),
    callback_mutant("in_order", 2),
    callback_mutant("by_time", 4),
    callback_mutant("next_turn", 3),
    callback_mutant("time_never_goes_back", 2),
    callback_mutant("time_never_goes_back", 2, mutants.MOVED),
    callback_mutant("call_soon_makes_ready", 1),
    callback_mutant("call_soon_makes_ready", 2, mutants.UNWOKEN),
    callback_mutant("call_at_makes_a_timer", 1),
    callback_mutant("call_at_makes_a_timer", 2, mutants.UNWOKEN_TIMER),
    callback_mutant("handed_over", 2),
    callback_mutant("handed_over", 5, mutants.TWICE),
    callback_mutant("handed_over", 1, mutants.UNSIGNED),
    callback_mutant("handed_over", 1, mutants.MUTANTS["own_timers"]),
    callback_mutant("cancel_withdraws_pending", 2),
    callback_mutant("all_ready", 3),
    callback_mutant("all_ready", 3, mutants.NESTED),
    callback_mutant("call_runs_the_callback", 3),
    callback_mutant("no_report_without_error", 4),
    callback_mutant("no_report_without_error", 2, mutants.UNCALLED),
    callback_mutant("errors_are_reported", 4),
    callback_mutant("errors_are_reported", 2, mutants.UNBEGUN),
    callback_mutant("waits_only_when_idle", 2),
    callback_mutant("waits_only_when_idle", 1, mutants.RESTLESS),
    callback_mutant("frame", 4),
    callback_mutant("allowed", 2),
    callback_mutant("due_callback_is_called", 2),
    callback_mutant("all_ready", 4, mutants.DREAMING),
    callback_mutant("cancel_withdraws_pending", 3, mutants.ALARMING),
    callback_mutant("cancel_withdraws_pending", 4, mutants.INTERRUPTING),
]
