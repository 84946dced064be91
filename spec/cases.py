"""CASES: what `python -m spec prove` proves, and what is false on purpose.

`crawl_fifo` is explored only: it recurs over the URLs that are put, and counts in sequences.  That it refines the
crawl, and that `task_hops` refines the loop, are explored too.
"""

from __future__ import annotations

from .crawl.specification import Const, crawl
from .future.specification import future
from .kit.prove.case import Case, Obligation
from .locks.events import events
from .locks.specification import locks
from .queue.specification import queue
from .stream.specification import stream
from .task.hops import task_hops
from .task.specification import task

#: Why the answer is not the least solution under the chapter's rule.
DEPENDS = "the first offer fixes a budget, so the result depends on the schedule"


def our_rule(k: Const) -> bool:
    """A larger budget goes through."""
    return not k.first_wins


def chapters_rule(k: Const) -> bool:
    """The first offer fixes the budget."""
    return k.first_wins


CASES: list[Case] = [
    Case(queue),
    Case(crawl, "our rule", our_rule),
    Case(
        crawl,
        "the chapter's rule",
        chapters_rule,
        {Obligation(action, "answer"): DEPENDS for action in ("page", "redirect", "fail")},
    ),
    Case(stream),
    Case(future),
    Case(task),
    Case(task_hops),
    Case(locks),
    Case(events),
]
