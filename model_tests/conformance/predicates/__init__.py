"""The predicates of rules that a whole run breaks, though each part of it may be right in another one.

A part that no right run shows breaks a rule by itself (`parts.py`).  An item is lost, or two tasks hold a lock, by
several parts together.  Each predicate yields a rule and a sentence about the run, true of no right run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final

from ...programs.enumeration import Program
from ..normal import Line
from .groups import groups
from .levels import barriers, events
from .locks import conditions, locks
from .queues import queues
from .tasks import tasks
from .trace import Trace

#: A broken rule, and a sentence about the run.
Broken = tuple[str, str]
#: By the class of a thing: its predicates.
PREDICATES: Final[dict[str, Callable[[Trace, str], Iterator[Broken]]]] = {
    **dict.fromkeys(("Queue", "LifoQueue", "PriorityQueue"), queues),
    **dict.fromkeys(("Lock", "Semaphore", "BoundedSemaphore"), locks),
    "Condition": conditions,
    "Barrier": barriers,
    "Event": events,
    "Task": tasks,
    "TaskGroup": groups,
}
#: By the class of a thing: the rule that a cancelled waiter leaves alone.
UNAFFECTED: Final = {
    **dict.fromkeys(("Queue", "LifoQueue", "PriorityQueue"), "QUEUE-23"),
    **dict.fromkeys(("Lock", "Semaphore", "BoundedSemaphore", "Condition"), "LOCK-16"),
    "Event": "EVENT-8",
    "Barrier": "BARRIER-4",
}
#: The rule that no waiter leaves unless it is woken or cancelled, where that is another.
LEFT: Final = {"Event": "EVENT-11"}


def predicates(program: Program, lines: list[Line], brings: Collection[str]) -> Iterator[Broken]:
    """Yield the rules of the subject's names that lines, with those of statements that begin, show broken."""
    trace = Trace(program, lines)
    for thing, name in trace.things.items():
        brought = name in brings or (name == "Task" and "new_event_loop" in brings)  # a loop runs tasks
        if trace.certain and brought and name in PREDICATES and thing not in trace.hidden:
            ended = trace.of(thing, "reset", "abort")  # a barrier's waiters are ended otherwise by these
            if (rule := UNAFFECTED.get(name)) and not ended and trace.strayed(thing):
                if any(call.method == "cancel" for call in trace.calls):
                    yield rule, "a cancel reached another waiter"
                else:
                    yield LEFT.get(name, rule), "a waiter was cancelled, though no task was"
            yield from PREDICATES[name](trace, thing)
