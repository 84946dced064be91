"""Which rule a difference breaks: by what is different, and by what the program uses.

Theory of operation.  A program of the enumeration says itself which rule a difference of a kind breaks.  One of the
catalogue shows several; the rule is the first that belongs to what the subject brings, for the rest of asyncio is
asyncio's.  Of a random program the names tell that are left in it when it is shrunk.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from .enumeration import Rules
from .normal import strings

# `Any` in this file: programs and lines are JSON.
Program = dict[str, Any]
Line = list[Any]

#: name of a subject -> the families of its rules
FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "Future": ("FUT",),
    "Task": ("CANCEL", "TASK", "AWAIT"),
    "create_task": ("TASK",),
    "Queue": ("QUEUE",),
    "LifoQueue": ("QUEUE-28", "QUEUE"),
    "PriorityQueue": ("QUEUE-29", "QUEUE"),
    "Lock": ("LOCK",),
    "Semaphore": ("SEM", "LOCK"),
    "BoundedSemaphore": ("SEM", "LOCK"),
    "Condition": ("COND",),
    "Event": ("EVENT",),
    "Barrier": ("BARRIER",),
    "gather": ("GATHER",),
    "wait": ("WAIT",),
    "wait_for": ("WAITFOR",),
    "as_completed": ("ASDONE",),
    "shield": ("SHIELD",),
    "timeout": ("TIMEOUT",),
    "timeout_at": ("TIMEOUT",),
    "Timeout": ("TIMEOUT",),
    "TaskGroup": ("GROUP",),
    "sleep": ("SLEEP", "TASK-4"),
    "ensure_future": ("ENSURE",),
    "wrap_future": ("WRAP",),
}
#: what a random program uses, the more special first -> its rules
USES: Final = (
    ("TaskGroup", Rules("GROUP-2", "GROUP-1", cancel="GROUP-4")),
    ("timeout", Rules("TIMEOUT-1", cancel="TIMEOUT-2")),
    ("wait_for", Rules("WAITFOR-1", cancel="WAITFOR-4")),
    ("as_completed", Rules("ASDONE-1")),
    ("gather", Rules("GATHER-1", cancel="GATHER-4")),
    ("wait", Rules("WAIT-3", cancel="WAIT-5")),
    ("shield", Rules("SHIELD-1", cancel="SHIELD-2")),
    ("Barrier", Rules("BARRIER-1", cancel="BARRIER-4")),
    ("Condition", Rules("COND-1", "COND-1", cancel="COND-4", lost="COND-6")),
    ("Event", Rules("EVENT-1")),
    ("BoundedSemaphore", Rules("SEM-3", "LOCK-8", "LOCK-10", "LOCK-5")),
    ("Semaphore", Rules("LOCK-6", "LOCK-8", "SEM-2", "LOCK-5")),
    ("Lock", Rules("LOCK-7", "LOCK-8", "LOCK-10", "LOCK-5")),
    ("PriorityQueue", Rules("QUEUE-29", "QUEUE-5", "QUEUE-3", "QUEUE-18")),
    ("LifoQueue", Rules("QUEUE-28", "QUEUE-5", "QUEUE-3", "QUEUE-18")),
    ("Queue", Rules("QUEUE-1", "QUEUE-5", "QUEUE-3", "QUEUE-18")),
    (".uncancel", Rules("CANCEL-6")),
    (".remove_done_callback", Rules("FUT-10")),
    (".add_done_callback", Rules("FUT-5")),
    (".cancel", Rules("CANCEL-2", cancel="CANCEL-2")),
    ("ensure_future", Rules("ENSURE-1")),
    ("sleep", Rules("SLEEP-1")),
    ("", Rules("TASK-2", "TASK-1")),
)


def kind_of(program: Program, expected: Sequence[Line], seen: Sequence[Line]) -> str:
    """What kind of difference it is.

    Somebody is "stuck" or not, or so after a cancel: "lost"; the "order", also if somebody waits in another's place;
    whether a "cancel" came; or else a "value".
    """
    wanted, had = ({line[2]: line[3] for line in lines if line[1] == "end"} for lines in (expected, seen))
    stuck = [thing for thing, end in wanted.items() if had.get(thing) == "pending" != end]
    freed = [thing for thing, end in had.items() if wanted.get(thing) == "pending" != end]
    if len(stuck) > len(freed):
        return "lost" if any(said.endswith(".cancel") for said in strings(program)) else "stuck"
    if stuck or sorted(map(str, expected)) == sorted(map(str, seen)):
        return "order"
    if any(("cancelled" in (end, had.get(thing))) and end != had.get(thing) for thing, end in wanted.items()):
        return "cancel"
    return "value"


def families(brings: Collection[str]) -> list[str]:
    """The families of rules, or rules, that are about what a subject brings; none if it brings nothing."""
    return [family for name in FAMILIES if name in brings for family in FAMILIES[name]]


def among(rules: Sequence[str], brings: Collection[str]) -> str:
    """Of the rules that a program shows, the one that is about what the subject brings; else the first."""
    for family in families(brings):
        for rule in rules:
            if family in (rule, rule.partition("-")[0]):
                return rule
    return rules[0]


def by_use(program: Program, kind: str, brings: Collection[str]) -> str:
    """The rule of what a random program uses; of several, of what the subject brings."""
    said = set(strings(program))
    used = [
        (name, rules)
        for name, rules in USES
        if name in said or (name[:1] in (".", "") and any(s.endswith(name) for s in said))
    ]
    for name, rules in used:
        if name in brings:
            return rules.of(kind)
    return used[0][1].of(kind)


def operations(program: Program) -> int:
    """How many operations a program has: its statements, but those that only name a thing which is no task.

    Bodies that say the same are one.
    """
    bodies = {str(body): body for body in program["bodies"].values()}
    return sum(map(_operations, [program["main"], *bodies.values()]))


def _operations(statements: Sequence[Any]) -> int:
    return sum(map(_of_one, statements))


def _of_one(statement: list[Any]) -> int:
    kind, *rest = statement
    if kind == "let":
        return int(
            isinstance(rest[1], list) and any(isinstance(e, list) and e[:1] == ["body"] for e in rest[1])
        )
    if kind == "try":
        clauses = [handler for _, handler in rest[1]] if len(rest) > 1 else []
        return _operations(rest[0]) + sum(map(_operations, [*clauses, *rest[2:]]))
    if kind in ("with", "for", "async for"):
        return 1 + _operations(rest[2])
    return 1
