"""What of an observation counts: the normal form in which what is seen is compared.

Theory of operation.  Nothing is asserted that is neither documented nor settled.  Left out of the lines of a program
(vectors/FORMAT.md), unless its rules are about it:

    messages     of a CancelledError: who else awaits the same gets it or does not; only the first is promised
    reports      of an exception that nobody asked for: when they come depends on when garbage is collected
    order        among the children of a TaskGroup that are cancelled together: asyncio keeps them in a set
    the moment   at which SystemExit comes out of the loop: others may still have their turn before (uvloop)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

# `Any` in this file: programs and lines are JSON.
Program = dict[str, Any]
Line = list[Any]

#: The rules that are about messages, and about reports.
MESSAGES: Final = frozenset({"FUT-13", "CANCEL-10", "COND-5"})
REPORTS: Final = frozenset({"FUT-9", "FUT-11", "LOOP-3"})

#: Who and what, where something comes out of the loop.
LEFT: Final = ["loop", "left"]

_CANCELLED: Final = re.compile(r"CancelledError\((?:'[^']*'|\"[^\"]*\")?\)")
#: Errors that the programs raise on purpose: a report of another is one of something that went wrong.
_ON_PURPOSE: Final = (
    "KeyError",
    "CancelledError",
    "ValueError",
    "ZeroDivisionError",
    "RuntimeError",
    "Exception",
)


def normal(program: Program, lines: list[Line], rules: Collection[str] = ()) -> list[Line]:
    """The lines of `program` that count, in the order that counts."""
    if MESSAGES.isdisjoint(rules):
        lines = [[*line[:3], _CANCELLED.sub("CancelledError()", line[3])] for line in lines]
    if REPORTS.isdisjoint(rules):
        lines = [line for line in lines if line[1] != "handler" or not line[3].startswith(_ON_PURPOSE)]
    out = sorted({line[3] for line in lines if line[1:3] == LEFT})
    if out:
        lines = [line for line in lines if line[1:3] != LEFT] + [[0, *LEFT, outcome] for outcome in out]
    if "TaskGroup" in set(strings(program)):
        lines = sorted(lines, key=lambda line: str(line[1]))  # stable: each has its own in order
    return lines


def strings(part: object) -> Iterator[str]:
    """All strings in a program."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from strings(value)
    elif isinstance(part, list):
        for value in part:
            yield from strings(value)


def played(play: Callable[[], list[Line]]) -> list[Line]:
    """What is seen; where an error comes out of the loop that no program of ours lets out, only that."""
    try:
        return play()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not error.args:
            raise
        return [[0, "loop", "broke", f"raised {type(error).__name__}"]]
