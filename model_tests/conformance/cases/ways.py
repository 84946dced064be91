"""The ways to run a program: programs of the catalogue, run in other ways than by a task of a plain loop.

Programs have a word for each way in `how` (programs/stages.py).  asyncio's documentation defines the changes: eager
tasks take their first step at once, `run` and `Runner` end the tasks that the program leaves; debug mode, contexts and
messages of cancels change nothing in a program's behaviour.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from ...programs.enumeration import Json, Program
from ...programs.plain import FACTORY, PROGRAM
from ..normal import LEFT, strings
from .sources import Case, Wanted, all_wanted

#: Names that each program uses in one of the ways.
RUNS: Final = frozenset({"run", "Runner", "eager_task_factory", "create_eager_task_factory"})
#: The rules of programs and facts that older versions cannot run.
NEWER: Final = {"TASK-14": (3, 12), **dict.fromkeys(("TASK-25", "TASK-26", "GRAPH-1", "GRAPH-2"), (3, 14))}


def ways(cases: Iterable[Case], wanted: Wanted = all_wanted) -> Iterator[Case]:
    """Yield each of these programs in each way that it can be run in, if the result is wanted."""
    for case in cases:
        for name, (change, others, first) in WAYS.items():
            rules, since = others or case.rules, max(first, case.since)
            program = change(case) if wanted(rules, since) else None
            if program is not None:
                yield replace(case, name=f"{case.name}, {name}", program=program, rules=rules, since=since)


def debug(case: Case) -> Program:
    """Return the program in debug mode."""
    return {**case.program, "how": ["debug"]}


def eager(groups: bool) -> Callable[[Case], Program | None]:
    """Return how to give a program eager tasks, if it has a TaskGroup, or if it has none.

    CPython 3.12.1 crashes if an eager task that is done is asked for its coroutine.
    """

    def change(case: Case) -> Program | None:
        said = set(strings(case.program))
        if ("TaskGroup" in said) is not groups or any(each.endswith(".get_coro") for each in said):
            return None
        return {**case.program, "how": ["eager"]}

    return change


def ambient(case: Case) -> Program | None:
    """Return the program with the name of the body in each line, as the context has it."""
    return {**case.program, "how": ["ambient"]} if "ContextVar" not in set(strings(case.program)) else None


def told(case: Case) -> Program | None:
    """Return the program with a message on each cancel without one, or None if there is none.

    No sentence says whether gather hands a message on, and a condition of CPython 3.11 does not.
    """
    if not {"gather", "Condition"}.isdisjoint(strings(case.program)):
        return None
    program: Program = with_messages(case.program)
    return program if program != case.program else None


def with_messages(part: Json) -> Json:
    """Return a part of a program with a message on each cancel."""
    if isinstance(part, dict):
        return {key: with_messages(value) for key, value in part.items()}
    if not isinstance(part, list):
        return part
    if len(part) == 1 and isinstance(part[0], str) and part[0].endswith(".cancel"):
        return [*part, "why"]
    return [with_messages(each) for each in part]


def outside(*main: Json) -> Callable[[Case], Program | None]:
    """Return how to run a program by statements outside the loop, if it ends; a Runner is `r`.

    It must end after its tasks: how far others come until they are cancelled depends on the loop, and so does how far
    they come until an error leaves it.
    """

    def change(case: Case) -> Program | None:
        ends = any(line[1:3] == ["end", "main"] and line[3] != "pending" for line in case.expected)
        last = next((line[1] for line in reversed(case.expected) if line[1] not in ("end", "handler")), "main")
        if (
            not ends
            or last != "main"
            or any(line[1:3] == LEFT for line in case.expected)
            or "main" in {said.partition(".")[0] for said in strings(case.program)}
        ):
            return None
        bodies = {**case.program["bodies"], PROGRAM: case.program["main"]}
        return {**case.program, "main": [*main], "bodies": bodies, "how": ["outside"]}

    return change


MAKE: Final = ["let", "r", ["Runner", FACTORY]]
RUN: Final = ["do", ["r.run", ["body", PROGRAM]]]
CLOSE: Final = ["do", ["r.close"]]
#: By name: how a program is changed, the rules that it then shows (none: its own), and the first CPython.
WAYS: Final[dict[str, tuple[Callable[[Case], Program | None], tuple[str, ...], tuple[int, int]]]] = {
    "by run": (outside(["do", ["run", ["body", PROGRAM], FACTORY]]), ("RUN-1",), (3, 11)),
    "by a Runner": (outside(MAKE, RUN, CLOSE), ("RUN-2",), (3, 11)),
    "by a Runner, second": (
        outside(MAKE, ["do", ["r.run", ["sleep", 0]]], RUN, CLOSE, ["try", [RUN], [["RuntimeError", []]]]),
        ("RUN-2",),
        (3, 11),
    ),
    "eager": (eager(groups=False), ("TASK-14",), (3, 12)),
    "eager, in a group": (eager(groups=True), ("TASK-14",), (3, 14)),  # gh-128550
    "debug": (debug, (), (3, 6)),
    "with a context": (ambient, ("TASK-11",), (3, 7)),
    "with messages": (told, ("CANCEL-10",), (3, 9)),
}
