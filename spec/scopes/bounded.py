"""The bounded models of nested scopes, with pinned counts; and the mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Fails, Holds, Instance, only
from ..kit.core import Spec
from . import mutants
from .models import scope_model
from .specification import Const, Nest, scopes


def nest(
    timeouts: int, groups: int, most: int, counts: tuple[int, int, int], *, symmetric: bool = False
) -> Holds:
    """A task with scopes of both kinds; `counts`: states, edges, depth."""
    title = f"timeouts {timeouts}, groups {groups}, up to {most} from outside"
    return Holds(
        scopes,
        title + (", up to renaming" if symmetric else ""),
        lambda: [scope_model(timeouts, groups, most, symmetric=symmetric)],
        Counts(1, *counts),
    )


def scope_mutant(
    broken: str,
    depth: int,
    timeouts: int = 1,
    groups: int = 1,
    most: int = 1,
    spec: Spec[Const, Nest] | None = None,
) -> Fails:
    """The mutant that breaks this property, or `spec`."""
    wrong = only(spec or mutants.MUTANTS[broken], broken)
    return Fails(scopes, wrong.name, lambda: scope_model(timeouts, groups, most, spec=wrong), broken, depth)


SCOPES: list[Instance] = [
    nest(1, 1, 1, (4_896, 20_938, 17)),
    nest(3, 0, 0, (436, 1_065, 16), symmetric=True),
    scope_mutant("all_requests_are_counted", 3),
    scope_mutant("count_grows_with_requests", 2),
    scope_mutant("count_grows_with_requests", 1, spec=mutants.BELOW),
    scope_mutant("count_grows_with_requests", 3, spec=mutants.UNSEEN),
    scope_mutant("count_grows_with_requests", 1, spec=mutants.COUNTING),
    scope_mutant("count_grows_with_requests", 2, spec=mutants.UNCOUNTING),
    scope_mutant("count_grows_with_requests", 3, spec=mutants.REMEMBERING),
    scope_mutant("count_grows_with_requests", 3, spec=mutants.KNOWING),
    scope_mutant("scopes_are_nested", 2),
    scope_mutant("scopes_are_nested", 3, 3, 0, 0, spec=mutants.CIRCLING),
    scope_mutant("no_throw_without_request", 2),
    scope_mutant("no_throw_without_request", 7, groups=0, spec=mutants.LATE),
    scope_mutant("for_a_failure", 6),
    scope_mutant("for_a_failure", 3, spec=mutants.UNNOTED),
    scope_mutant("for_a_failure", 4, timeouts=0, spec=mutants.GROUP_KEEPING),
    scope_mutant("one_ends", 3, timeouts=0, groups=2, most=0),
    scope_mutant("due_error_is_thrown", 3, groups=0),
    scope_mutant("due_error_is_thrown", 5, spec=mutants.ENDING),
    scope_mutant("due_error_is_thrown", 3, spec=mutants.WAITING),
    scope_mutant("entered_once_left_once", 2),
    scope_mutant("entered_once_left_once", 3, spec=mutants.REENTERED),
    scope_mutant("entered_once_left_once", 2, spec=mutants.EARLY),
    scope_mutant("entered_once_left_once", 2, spec=mutants.UNASKED),
    scope_mutant("deadline_raises_timeout", 5),
    scope_mutant("deadline_raises_timeout", 5, spec=mutants.ALONE),
    scope_mutant("not_its_own", 6),
    scope_mutant("only_expired", 5),
    scope_mutant("only_expired", 6, spec=mutants.FAILURES),
    scope_mutant("timeout_takes_back", 5, groups=0, most=0),
    scope_mutant("group_takes_back", 5, timeouts=0),
    scope_mutant("neither_lost", 7),
    scope_mutant("neither_lost", 7, spec=mutants.DROPPED),
    scope_mutant("passed_on", 6),
    scope_mutant("without_cancelled_error", 6, timeouts=0, most=0),
    scope_mutant("without_cancelled_error", 7, timeouts=0, spec=mutants.GROUP_SWALLOWING),
    scope_mutant("entered_innermost", 2),
    scope_mutant("entered_innermost", 2, spec=mutants.MUTANTS["count_grows_with_requests"]),
    scope_mutant("entered_innermost", 3, 3, 0, 0, spec=mutants.CIRCLING),
    scope_mutant("left_last", 3, timeouts=2, groups=0),
    scope_mutant("waits_on", 1),
    scope_mutant("no_error_if_caught", 4),
    scope_mutant("raised_error_is_kept", 4),
    scope_mutant("raised_error_is_kept", 2, spec=mutants.RAISING),
    scope_mutant("raised_error_is_kept", 3, spec=mutants.RAISING_LATE),
    scope_mutant("asked_from_outside", 2, most=2),
    scope_mutant("asked_from_outside", 3, spec=mutants.UNSEEN),
    scope_mutant("asked_from_outside", 2, spec=mutants.BEYOND),
    scope_mutant("taken_back", 2),
    scope_mutant("taken_back", 2, spec=mutants.UNCOUNTED),
    scope_mutant("taken_back", 2, spec=mutants.STILL_OUTSIDE),
    scope_mutant("taken_back", 3, most=2, spec=mutants.WITHDRAWING),
    scope_mutant("asked_by_timeout", 3),
    scope_mutant("asked_by_timeout", 3, spec=mutants.MUTANTS["all_requests_are_counted"]),
    scope_mutant("asked_by_timeout", 2, spec=mutants.EARLY),
    scope_mutant("asked_by_group", 3),
    scope_mutant("asked_by_group", 3, spec=mutants.UNTHROWN),
    scope_mutant("asked_by_group", 2, spec=mutants.UNENTERED),
    scope_mutant("asked_by_group", 3, spec=mutants.UNMARKED),
    scope_mutant("cancelled_once", 3, timeouts=0, most=0),
    scope_mutant("cancelled_once", 1, spec=mutants.GROUP_FORGETTING),
    scope_mutant("cancelled_once", 2, spec=mutants.GROUP_UNTHROWN),
    scope_mutant("cancelled_once", 2, spec=mutants.GROUP_UNCOUNTED),
    scope_mutant("cancelled_once", 2, spec=mutants.GROUP_UNNOTED),
    scope_mutant("cancelled_once", 4, spec=mutants.GROUP_LATE),
    scope_mutant("cancelled_once", 1, spec=mutants.GROUP_DEAF),
    scope_mutant("cancel_is_thrown_once", 4),
    scope_mutant("cancel_is_thrown_once", 2, spec=mutants.UNASKED_FOR),
    scope_mutant("cancel_is_thrown_once", 1, spec=mutants.INTERRUPTING),
    scope_mutant("due_error_is_thrown", 2, spec=mutants.INTERRUPTING),
    scope_mutant("due_error_is_thrown", 4, spec=mutants.MUTANTS["cancel_is_thrown_once"]),
    scope_mutant("cancel_is_thrown_once", 3, spec=mutants.AGAIN),
    scope_mutant("cancel_is_thrown_once", 3, spec=mutants.WAITING),
    scope_mutant("body_ended", 3),
    scope_mutant("body_ended", 3, timeouts=0, groups=2, most=0, spec=mutants.MUTANTS["one_ends"]),
    scope_mutant("frame", 3),
    scope_mutant("allowed", 5),
    scope_mutant("not_its_own", 6, spec=mutants.SWALLOWING),
    scope_mutant("asked_from_outside", 3, spec=mutants.SEEN_INSIDE),
    scope_mutant("asked_from_outside", 1, spec=mutants.UNLISTED),
    scope_mutant("asked_by_group", 3, spec=mutants.UNNOTED),
    scope_mutant("asked_by_group", 3, spec=mutants.UNMARKED_AT_FIRST),
]
