"""The rule that a smallest program shows broken, from its calls and its differences.

Each primitive has its signs (`signs.py`); those of the names that the subject brings are tried.  If none fits, the
rule follows from the kind of the difference alone (`attribute.py`).
"""

from collections.abc import Callable, Collection
from typing import Final

from ...programs.enumeration import Program
from ..normal import Line
from ..predicates.parts import Part
from . import signs
from .content import ShownProgram

#: By the name of a thing: its signs.
SIGNS: Final[dict[str, Callable[[ShownProgram], str]]] = {
    **dict.fromkeys(("Queue", "LifoQueue", "PriorityQueue"), signs.queues),
    **dict.fromkeys(("Lock", "Semaphore", "BoundedSemaphore"), signs.locks),
    "Condition": signs.conditions,
    "Event": signs.events,
    "Barrier": signs.barriers,
    "gather": signs.gathers,
    "as_completed": signs.steps,
    "wait": signs.waits,
    "wait_for": signs.wait_fors,
    **dict.fromkeys(("timeout", "timeout_at"), signs.timeouts),
    "TaskGroup": signs.groups,
    "Future": signs.futures,
    "Task": signs.tasks,
    "sleep": signs.sleeps,
}
#: A settled rule, and the signs of those that are broken with it.
SETTLED: Final = {
    **dict.fromkeys(("WAITFOR-3", "WAITFOR-5"), signs.settled_wait_fors),
    "QUEUE-3": signs.settled_joins,
}


def symptom(
    program: Program,
    expected: list[Line],
    seen: list[Line],
    kind: str,
    brings: Collection[str],
    parts: Collection[Part] = (),
) -> str:
    """Return the rule of the first sign of a name that the program uses and the subject brings, or ""."""
    shown = ShownProgram(program, expected, seen, kind, parts)
    for name in SIGNS:
        brought = name in brings or (name.startswith("timeout") and "Timeout" in brings)
        if brought and (shown.uses(name) or name in ("Future", "Task")):
            rule = SIGNS[name](shown)
            if rule:
                return rule
    return ""


def nearer(rule: str, shown: ShownProgram) -> str:
    """Return the settled rule that is about the difference, in place of one that breaks with it."""
    return (SETTLED[rule](shown) if rule in SETTLED else "") or rule
