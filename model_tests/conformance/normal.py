"""The normal form of observations, for comparison.

It leaves out all that is neither documented nor settled, unless the rules of the program are about it
(vectors/FORMAT.md has the lines of a program):

    messages     of a CancelledError: only the first waiter is promised one
    reports      of an exception that was never retrieved: their time depends on the garbage collector
    order        among the tasks that a TaskGroup, run or a Runner cancels together: asyncio has them in a set
    the moment   at which SystemExit leaves the loop: other tasks may run before it does (uvloop)
"""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Final

from ..programs.enumeration import Json, Program

#: A line of an observation.
Line = list[Json]

#: The rules about messages, and about reports.
MESSAGES: Final = frozenset({"FUT-13", "CANCEL-10", "COND-5"})
REPORTS: Final = frozenset({"FUT-9", "FUT-11", "LOOP-3"})

#: Names that cancel tasks in no order.
CANCEL_A_SET: Final = frozenset({"TaskGroup", "run", "Runner"})
#: The third part of the line of a statement that begins (stepping.py); it is in no normal form but that of steps.
BEGINS: Final = "begins"
#: The second and third part of the line for an exception that comes out of the loop.
LEFT: Final = ["loop", "left"]
#: The third part of that of a program which uses up its processor time, or is blocked; and of one which uses up its
#: events within one turn of the loop, before the name of the last call.
NOT_RETURNED: Final = "does not return"
#: The failure of a state machine if equal runs of it differ: objects of the subject share a state.
EQUAL_RUNS_DIFFER: Final = "equal runs differ"
HANGS: Final = "hangs without yielding"

_CANCELLED: Final = re.compile(r"CancelledError\((?:'[^']*'|\"[^\"]*\")?\)")
#: Errors that programs raise on purpose; a report of any other error counts.
_ON_PURPOSE: Final = (
    "KeyError",
    "CancelledError",
    "ValueError",
    "ZeroDivisionError",
    "RuntimeError",
    "Exception",
)


def shown(lines: list[Line]) -> list[Line]:
    """The lines without those of statements that begin."""
    return [line for line in lines if line[2] != BEGINS]


def normal(program: Program, lines: list[Line], rules: Collection[str] = ()) -> list[Line]:
    """Return the lines of `program` in normal form."""
    return NormalForm(program, rules).of(shown(lines))


def rested(lines: list[Line], expected: list[Line]) -> list[Line]:
    """Return lines of a loop of the subject's own, with the expected time of the states at the end.

    They are looked at when the loop is idle.  It may have alarms of its own that wake no task, for example of a timer
    that was cancelled, so its clock may show a later time then.
    """
    times = {line[2]: line[0] for line in expected if line[1] == "end"}
    return [[times.get(line[2], line[0]), *line[1:]] if line[1] == "end" else line for line in lines]


class NormalForm:
    """The normal form of a program's lines, if the program is about these rules."""

    def __init__(self, program: Program, rules: Collection[str]) -> None:
        self.messages = not MESSAGES.isdisjoint(rules)
        self.reports = not REPORTS.isdisjoint(rules)
        said = set(strings(program))
        #: Whether only the outcome of its repeats counts: lines of other tasks follow them at any time.
        self.repeats = "repeat" in said
        #: Whether lines are compared for each actor alone, because its tasks have no order among each other.
        self.by_actor = not CANCEL_A_SET.isdisjoint(said)

    def of(self, lines: list[Line]) -> list[Line]:
        """Return lines in normal form, with those of statements that begin."""
        if self.repeats:
            return [line for line in lines if line[2] == "repeat" or line[1:3] == ["end", "main"]]
        if not self.messages:
            lines = [
                [*line[:3], _CANCELLED.sub("CancelledError()", line[3])] if "CancelledError(" in line[3] else line
                for line in lines
            ]
        if not self.reports:
            lines = [line for line in lines if line[1] != "handler" or not line[3].startswith(_ON_PURPOSE)]
        out = sorted({line[3] for line in lines if line[2] == LEFT[1] and line[1] == LEFT[0]})
        if out:
            lines = [line for line in lines if line[1:3] != LEFT] + [[0, *LEFT, outcome] for outcome in out]
        if self.by_actor:
            lines = sorted(lines, key=lambda line: str(line[1]))  # stable: the lines of each task stay in order
        return lines


def strings(part: object) -> Iterator[str]:
    """Yield all strings in a program, in any order."""
    parts = [part]  # not by recursion: every string would pass through each generator above it
    while parts:
        part = parts.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, list):
            parts += part
        elif isinstance(part, dict):
            parts += part.values()


def played(play: Callable[[], list[Line]]) -> list[Line]:
    """Return the lines of a play; if the player itself fails, one line with that error."""
    try:
        return play()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not error.args:
            raise
        return broken_off(error)


def hung(lines: list[Line]) -> bool:
    """Return whether a program had to be ended."""
    return bool(lines[-1][1] == "loop" and lines[-1][2].startswith((NOT_RETURNED, HANGS)))


def broken_off(error: BaseException) -> list[Line]:
    """Return the line of a play that ended in an error of the loop, or of the player."""
    return [[0, "loop", "broke", f"raised {type(error).__name__}"]]
