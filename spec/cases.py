"""CASES: the properties that `python -m spec prove` proves, and those that are false on purpose.

`crawl_fifo` is explored only: it recurs over the URLs that are put, and counts in sequences.  That it refines the
crawl, and that `task_hops` refines the loop, are explored too.  So are the leads-to properties without a rank, which
are named here, each with the reason.
"""

from __future__ import annotations

from .crawl.specification import Const, Url, Worker
from .kit.bounded import Fails, is_safety
from .kit.prove.case import Case, Obligation
from .registry import REGISTRY
from .specifications import callbacks, crawl, creation, events, future, locks, queue, scopes, stream, task, task_hops

#: Why the answer is not the least solution under the chapter's rule.
DEPENDS = "the first offer fixes a budget, so the result depends on the schedule"


def our_rule(k: Const) -> bool:
    """A larger budget goes through."""
    return not k.first_wins


def chapters_rule(k: Const) -> bool:
    """The first offer fixes the budget."""
    return k.first_wins


#: Why some leads-to properties are explored only.
BYTES = "no rank is given yet: it would count the bytes that are left in the buffers of the connection"
EXPLORED: dict[str, str] = {
    "receive_returns": BYTES,
    "woken_for_room": BYTES,
    "end_arrives": BYTES,
    "reset_arrives": "no rank is given yet: it would count the bytes that are left before the reset",
    "comes_to_rest": "no rank is given yet: what may wake a sender, or cancel it, is of several actions",
}
ANY_ORDER = {"ready_job_gets_its_turn": "it is false where turns come in any order: it is explored first in, first out"}
CALLS = {
    "due_callback_is_called": "no rank is given yet: the calls of earlier callbacks lower it, which are other events"
}
CHAINS = {"cancel_returns": "no rank is given yet: it would be the length of the rest of a chain"}


def compete(k: Const, w: Worker, u: Url, x: Worker, v: Url) -> bool:
    """Two starts compete for a worker or for a URL."""
    return w == x or u == v


CASES: list[Case] = [
    Case(queue),
    Case(crawl, "our rule", our_rule, exclusive={"start+start": compete}),
    Case(
        crawl,
        "the chapter's rule",
        chapters_rule,
        {Obligation(action, "done_is_least_solution"): DEPENDS for action in ("page", "redirect", "fail")},
    ),
    Case(stream, unknown=EXPLORED),
    Case(callbacks, unknown=CALLS),
    Case(future),
    Case(task, unknown=ANY_ORDER),
    Case(task_hops, unknown=CHAINS),
    Case(creation),
    Case(scopes),
    Case(locks),
    Case(events),
]


def wrong() -> list[tuple[Fails, Case]]:
    """The mutants that break a rule of safety, each with the case of the right specification."""
    like = {case.spec.name: case for case in reversed(CASES)}
    return [
        (each, like[each.spec.name])
        for each in REGISTRY
        if isinstance(each, Fails) and each.spec.name in like and is_safety(each)
    ]
