"""The bounded models of nested scopes, with pinned counts; and the mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Holds, Instance, failing
from . import mutants
from .models import scope_model
from .specification import scopes


def nest(timeouts: int, groups: int, most: int, counts: tuple[int, int, int], *, symmetric: bool = False) -> Holds:
    """A task with scopes of both kinds; `counts`: states, edges, depth."""
    title = f"timeouts {timeouts}, groups {groups}, up to {most} from outside"
    return Holds(
        scopes,
        title + (", up to renaming" if symmetric else ""),
        lambda: [scope_model(timeouts, groups, most, symmetric=symmetric)],
        Counts(1, *counts),
    )


scope_mutant = failing(scopes, scope_model, mutants.MUTANTS, timeouts=1, groups=1, most=1)


SCOPES: list[Instance] = [
    nest(1, 1, 1, (4_896, 20_938, 17)),
    nest(3, 0, 0, (436, 1_065, 16), symmetric=True),
    scope_mutant("all_requests_are_counted", 3),
    scope_mutant("count_grows_with_requests", 2),
    scope_mutant("count_grows_with_requests", 1, mutants.BELOW),
    scope_mutant("count_grows_with_requests", 3, mutants.UNSEEN),
    scope_mutant("count_grows_with_requests", 1, mutants.COUNTING),
    scope_mutant("count_grows_with_requests", 2, mutants.UNCOUNTING),
    scope_mutant("count_grows_with_requests", 3, mutants.REMEMBERING),
    scope_mutant("count_grows_with_requests", 3, mutants.KNOWING),
    scope_mutant("scopes_are_nested", 2),
    scope_mutant("scopes_are_nested", 3, mutants.CIRCLING, timeouts=3, groups=0, most=0),
    scope_mutant("no_throw_without_request", 2),
    scope_mutant("no_throw_without_request", 7, mutants.LATE, groups=0),
    scope_mutant("for_a_failure", 6),
    scope_mutant("for_a_failure", 3, mutants.UNNOTED),
    scope_mutant("for_a_failure", 4, mutants.GROUP_KEEPING, timeouts=0),
    scope_mutant("one_ends", 3, timeouts=0, groups=2, most=0),
    scope_mutant("due_error_is_thrown", 3, groups=0),
    scope_mutant("due_error_is_thrown", 5, mutants.ENDING),
    scope_mutant("due_error_is_thrown", 3, mutants.WAITING),
    scope_mutant("entered_once_left_once", 2),
    scope_mutant("entered_once_left_once", 3, mutants.REENTERED),
    scope_mutant("entered_once_left_once", 2, mutants.EARLY),
    scope_mutant("entered_once_left_once", 2, mutants.UNASKED),
    scope_mutant("deadline_raises_timeout", 5),
    scope_mutant("deadline_raises_timeout", 5, mutants.ALONE),
    scope_mutant("not_its_own", 6),
    scope_mutant("only_expired", 5),
    scope_mutant("only_expired", 6, mutants.FAILURES),
    scope_mutant("timeout_takes_back", 5, groups=0, most=0),
    scope_mutant("group_takes_back", 5, timeouts=0),
    scope_mutant("neither_lost", 7),
    scope_mutant("neither_lost", 7, mutants.DROPPED),
    scope_mutant("passed_on", 6),
    scope_mutant("without_cancelled_error", 6, timeouts=0, most=0),
    scope_mutant("without_cancelled_error", 7, mutants.GROUP_SWALLOWING, timeouts=0),
    scope_mutant("entered_innermost", 2),
    scope_mutant("entered_innermost", 2, mutants.MUTANTS["count_grows_with_requests"]),
    scope_mutant("entered_innermost", 3, mutants.CIRCLING, timeouts=3, groups=0, most=0),
    scope_mutant("left_last", 3, timeouts=2, groups=0),
    scope_mutant("waits_on", 1),
    scope_mutant("no_error_if_caught", 4),
    scope_mutant("raised_error_is_kept", 4),
    scope_mutant("raised_error_is_kept", 2, mutants.RAISING),
    scope_mutant("raised_error_is_kept", 3, mutants.RAISING_LATE),
    scope_mutant("asked_from_outside", 2, most=2),
    scope_mutant("asked_from_outside", 3, mutants.UNSEEN),
    scope_mutant("asked_from_outside", 2, mutants.BEYOND),
    scope_mutant("taken_back", 2),
    scope_mutant("taken_back", 2, mutants.UNCOUNTED),
    scope_mutant("taken_back", 2, mutants.STILL_OUTSIDE),
    scope_mutant("taken_back", 3, mutants.WITHDRAWING, most=2),
    scope_mutant("asked_by_timeout", 3),
    scope_mutant("asked_by_timeout", 3, mutants.MUTANTS["all_requests_are_counted"]),
    scope_mutant("asked_by_timeout", 2, mutants.EARLY),
    scope_mutant("asked_by_group", 3),
    scope_mutant("asked_by_group", 3, mutants.UNTHROWN),
    scope_mutant("asked_by_group", 2, mutants.UNENTERED),
    scope_mutant("asked_by_group", 3, mutants.UNMARKED),
    scope_mutant("cancelled_once", 3, timeouts=0, most=0),
    scope_mutant("cancelled_once", 1, mutants.GROUP_FORGETTING),
    scope_mutant("cancelled_once", 2, mutants.GROUP_UNTHROWN),
    scope_mutant("cancelled_once", 2, mutants.GROUP_UNCOUNTED),
    scope_mutant("cancelled_once", 2, mutants.GROUP_UNNOTED),
    scope_mutant("cancelled_once", 4, mutants.GROUP_LATE),
    scope_mutant("cancelled_once", 1, mutants.GROUP_DEAF),
    scope_mutant("cancel_is_thrown_once", 4),
    scope_mutant("cancel_is_thrown_once", 2, mutants.UNASKED_FOR),
    scope_mutant("cancel_is_thrown_once", 1, mutants.INTERRUPTING),
    scope_mutant("due_error_is_thrown", 2, mutants.INTERRUPTING),
    scope_mutant("due_error_is_thrown", 4, mutants.MUTANTS["cancel_is_thrown_once"]),
    scope_mutant("cancel_is_thrown_once", 3, mutants.AGAIN),
    scope_mutant("cancel_is_thrown_once", 3, mutants.WAITING),
    scope_mutant("body_ended", 3),
    scope_mutant("body_ended", 3, mutants.MUTANTS["one_ends"], timeouts=0, groups=2, most=0),
    scope_mutant("frame", 3),
    scope_mutant("allowed", 5),
    scope_mutant("not_its_own", 6, mutants.SWALLOWING),
    scope_mutant("asked_from_outside", 3, mutants.SEEN_INSIDE),
    scope_mutant("asked_from_outside", 1, mutants.UNLISTED),
    scope_mutant("asked_by_group", 3, mutants.UNNOTED),
    scope_mutant("asked_by_group", 3, mutants.UNMARKED_AT_FIRST),
]
