"""The rule that a difference breaks: the kind of the difference and the program's calls decide it.

A program of the enumeration names the rule for each kind of difference.  A program of the catalogue shows several
rules; the broken one is the first about a name that the subject brings, because all other names are asyncio's.  For a
random program the rule follows from the names that are left after shrinking.
"""

from collections.abc import Collection, Sequence
from typing import Final

from ..programs.enumeration import BrokenRules, Json, Program
from .normal import Line, strings

#: By the name of a thing: the families of its rules, or single rules.
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
    "Condition": ("COND", "LOCK"),
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
    "run": ("RUN",),
    "Runner": ("RUN",),
    "eager_task_factory": ("TASK-14",),
    "create_eager_task_factory": ("TASK-14",),
}
#: By the name of a thing: the rule that it keeps nothing that it should not.
LEAKS: Final[dict[str, str]] = {
    name: rule
    for rule, names in (
        ("LEAK-1", "Queue LifoQueue PriorityQueue"),
        ("LEAK-2", "Lock Event Condition Semaphore BoundedSemaphore Barrier"),
        ("LEAK-4", "shield"),
        ("LEAK-5", "gather"),
        ("LEAK-6", "wait"),
        ("LEAK-7", "wait_for"),
        ("LEAK-8", "as_completed"),
        ("LEAK-9", "TaskGroup"),
        ("LEAK-10", "timeout timeout_at Timeout"),
        ("LEAK-11", "run Runner"),
        ("LEAK-3", "Future Task create_task eager_task_factory create_eager_task_factory"),
    )
    for name in names.split()
}
#: The rules of the things that a random program uses, the more special first.
USES: Final = (
    ("TaskGroup", BrokenRules("GROUP-2", "GROUP-1", cancel="GROUP-4")),
    ("timeout", BrokenRules("TIMEOUT-1", cancel="TIMEOUT-2")),
    ("wait_for", BrokenRules("WAITFOR-1", cancel="WAITFOR-4")),
    ("as_completed", BrokenRules("ASDONE-1")),
    ("gather", BrokenRules("GATHER-1", cancel="GATHER-4")),
    ("wait", BrokenRules("WAIT-3", cancel="WAIT-5")),
    ("shield", BrokenRules("SHIELD-1", cancel="SHIELD-2")),
    ("Barrier", BrokenRules("BARRIER-1", cancel="BARRIER-4")),
    ("Condition", BrokenRules("COND-1", "COND-1", cancel="COND-4", lost="COND-6")),
    ("Event", BrokenRules("EVENT-1")),
    ("BoundedSemaphore", BrokenRules("SEM-3", "LOCK-8", "LOCK-10", "LOCK-5")),
    ("Semaphore", BrokenRules("LOCK-6", "LOCK-8", "SEM-2", "LOCK-5")),
    ("Lock", BrokenRules("LOCK-7", "LOCK-8", "LOCK-10", "LOCK-5")),
    ("PriorityQueue", BrokenRules("QUEUE-29", "QUEUE-5", "QUEUE-3", "QUEUE-18")),
    ("LifoQueue", BrokenRules("QUEUE-28", "QUEUE-5", "QUEUE-3", "QUEUE-18")),
    ("Queue", BrokenRules("QUEUE-1", "QUEUE-5", "QUEUE-3", "QUEUE-18")),
    (".uncancel", BrokenRules("CANCEL-6")),
    (".remove_done_callback", BrokenRules("FUT-10")),
    (".add_done_callback", BrokenRules("FUT-5")),
    (".cancel", BrokenRules("CANCEL-2", cancel="CANCEL-2")),
    ("ensure_future", BrokenRules("ENSURE-1")),
    ("sleep", BrokenRules("SLEEP-1")),
    ("", BrokenRules("TASK-2", "TASK-1")),
)


def kind_of(program: Program, expected: Sequence[Line], seen: Sequence[Line]) -> str:
    """Return the kind of a difference.

    "stuck": more tasks are pending at the end than expected; "lost": the same in a program that cancels.  "order":
    the same lines in another order, or another task is pending.  "cancel": a task is cancelled, or not, against the
    expectation.  "value": any other difference.
    """
    if "repeat" in strings(program["main"]):
        return "cancel"  # the item that is kept should have left
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
    """Return the families of rules, or single rules, about the names that a subject brings."""
    found = [family for name in FAMILIES if name in brings for family in FAMILIES[name]]
    return [*found, *(rule for name, rule in LEAKS.items() if name in brings)]


def is_own(rule: str, own: set[str]) -> bool:
    """Return whether a rule is in one of these families, or is named itself."""
    return not own or rule in own or rule.partition("-")[0] in own


def thing(rule: str, brings: Collection[str]) -> str:
    """Return the first name that a rule is about, of those that a subject brings if it is about one of these."""
    about = [name for name in FAMILIES if not {rule, rule.partition("-")[0]}.isdisjoint(FAMILIES[name])]
    about += [name for name, leak in LEAKS.items() if leak == rule]
    return next((name for name in about if name in brings), [*about, ""][0])


def among(rules: Sequence[str], brings: Collection[str]) -> str:
    """Return the first rule of a program about a name that the subject brings; if there is none, the first."""
    for family in families(brings):
        for rule in rules:
            if family in (rule, rule.partition("-")[0]):
                return rule
    return rules[0]


def by_use(program: Program, kind: str, brings: Collection[str]) -> str:
    """Return the rule of a thing that a random program uses, preferably of one that the subject brings."""
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
    """Return the size of a program: its statements, without those that only name a thing other than a task.

    Equal bodies count once.
    """
    bodies = {str(body): body for body in program["bodies"].values()}
    return sum(map(_operations, [program["main"], *bodies.values()]))


def _operations(statements: Sequence[Json]) -> int:
    return sum(map(_of_one, statements))


def _of_one(statement: list[Json]) -> int:
    kind, *rest = statement
    if kind == "let":
        return int(isinstance(rest[1], list) and any(isinstance(e, list) and e[:1] == ["body"] for e in rest[1]))
    if kind == "try":
        clauses = [handler for _, handler in rest[1]] if len(rest) > 1 else []
        return _operations(rest[0]) + sum(map(_operations, [*clauses, *rest[2:]]))
    if kind in ("with", "for", "async for"):
        return 1 + _operations(rest[2])
    return 1
