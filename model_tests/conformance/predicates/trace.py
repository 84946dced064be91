"""A trace: the calls of a run, each with the places of its lines, and the tasks that wait at the end."""

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Final, NamedTuple

from ...programs.comparison import classes
from ...programs.enumeration import Json, Program
from ...programs.freedoms import COMBINATORS
from ...programs.shrink import statements
from ...programs.vectors.player import text
from ..normal import BEGINS, Line, strings

#: The text of a call, with its thing and its method.
CALL: Final = re.compile(r"(?:await )?(\w+)\.(\w+)\(.*\)")
#: To await a task or a future is a call, too, of no method.
AWAITED: Final = re.compile(r"await (\w+)")
#: A block of a lock is two calls.
BLOCK: Final = re.compile(r"(end )?with (\w+)")
#: Names that request cancels of their own, or do not hand them on.
SCOPES: Final = frozenset({*COMBINATORS, "run", "Runner"})
#: The statements that note that they begin, and those after which the next one is not known.
WAITS: Final = frozenset({"await", "with", "turn", "async for"})
BRANCHES: Final = frozenset({"for", "async for", "try", "repeat"})


class Call(NamedTuple):
    """A call of a method of a thing.

    `begun` and `ended` are the places of its lines; an `ended` call has an outcome, one that waits at the end has none.
    """

    actor: str
    thing: str
    method: str
    outcome: str
    begun: int
    ended: int | None
    argument: str = ""

    @property
    def number(self) -> int:
        """Its argument, if that is a number; else 1."""
        return int(self.argument) if self.argument.isdecimal() else 1

    @property
    def at_once(self) -> bool:
        """Whether it has ended before anything else ran."""
        return self.ended is not None and self.ended <= self.begun + 1

    @property
    def returned(self) -> bool:
        """Whether it has returned, and raised nothing."""
        return self.ended is not None and not self.outcome.startswith("raised")


class Trace:
    """The calls of a run, and the states at the end."""

    def __init__(self, program: Program, lines: list[Line]) -> None:
        self.program, self.lines, self.things = program, lines, classes(program)
        #: The things with a call within another one, which has no line.
        self.hidden = {head.partition(".")[0] for head in inner(program)}
        #: Whether it is known of each actor its task, and the call that waits at the end.
        self.certain = not any(map(self.shared, program["bodies"]))
        #: By actor: the statement that waits at the end.
        self.left: dict[str, str] = {}
        self.calls = list(self._calls())

    def _calls(self) -> Iterator[Call]:
        begun: dict[str, int] = {}
        counts: dict[str, int] = {}
        for place, (_, actor, what, outcome) in enumerate(self.lines):
            if what == BEGINS:
                begun[actor] = place
                counts[actor] = counts.get(actor, 0) + 1
            elif call := called(what):
                yield Call(actor, *call, outcome, begun.pop(actor, place), place, argument(what))
            else:
                begun.pop(actor, None)
        for actor, place in begun.items():
            waits = self.waiting(actor)
            if counts[actor] > len(waits):
                self.certain = False
                continue
            self.left[actor] = waits[counts[actor] - 1]
            if call := called(self.left[actor]):
                yield Call(actor, *call, "", place, None)

    def waiting(self, actor: str) -> list[str]:
        """Return the texts of the first statements of an actor that may wait, as far as their order is certain."""
        block = self.program["main"] if actor == "main" else self.program["bodies"].get(actor, [])
        return [*takewhile(bool, awaited(block))]

    def shared(self, actor: str) -> bool:
        """Whether several tasks may have that body."""
        return str(self.program).count(str(["body", actor])) > 1 or "'for'" in str(self.program["main"])

    def of(self, thing: str, *methods: str) -> list[Call]:
        """Return the calls of methods of a thing, in the order of their lines; those that wait at the end last."""
        return [call for call in self.calls if call.thing == thing and (call.method in methods or not methods)]

    def makes(self, task: str) -> list[Json]:
        """Return the expression that makes a task of a body; an empty one if it is not certain."""
        blocks = [block[place] for block, place in statements(self.program)]
        made = [each[2] for each in blocks if each[:2] == ["let", task]]
        return list(made[0]) if len(made) == 1 and "body" in list(strings(made[0])) else []

    def body(self, task: str) -> str:
        """Return the body of a task, or ""."""
        return next((str(arg[1]) for arg in self.makes(task) if arg[:1] == ["body"]), "")

    @cached_property
    def cancels(self) -> bool:
        """Whether anything is cancelled."""
        return ".cancel" in str(self.program)

    def strayed(self, thing: str) -> bool:
        """Whether a call of a thing raised CancelledError in a task without a request to cancel it."""
        words = list(strings(self.program))
        noted = sum(call.method == "cancel" for call in self.calls) == sum(w.endswith(".cancel") for w in words)
        hands_on = any(call.method == "" for call in self.calls)  # a cancel goes to the task that is awaited
        if not noted or hands_on or not SCOPES.isdisjoint(words) or "CancelledError" in words:
            return False
        asked = {self.body(call.thing) or call.thing for call in self.calls if call.method == "cancel"}
        struck = {call.actor for call in self.of(thing) if call.outcome.startswith("raised CancelledError")}
        return not struck <= asked

    @staticmethod
    def wakes(notify: Call) -> int:
        """Return how many tasks a notify wakes, if so many wait."""
        return sys.maxsize if notify.method == "notify_all" else notify.number

    def end(self, thing: str) -> str:
        """Return the state of a thing at the end, or ""."""
        return next((line[3] for line in self.lines if line[1:3] == ["end", thing]), "")

    def looks(self, thing: str) -> dict[str, str]:
        """Return the looks of a thing at the end."""
        return dict(pair.split("=", 1) for pair in self.end(thing).split() if "=" in pair)

    def number(self, thing: str, default: int) -> int | None:
        """Return the number that a thing is made with; None if it is not certain."""
        made = [each[2] for each in self.program["main"] if each[:2] == ["let", thing]]
        if len(made) != 1 or any(isinstance(arg, dict) for arg in made[0]):
            return None
        given = [*made[0][1:], default][0]
        return given if isinstance(given, int) else None


def inner(program: Program) -> Iterator[str]:
    """Yield the heads of calls that are arguments of other calls."""
    for block, place in statements(program):
        for each in block[place][1:3]:
            if isinstance(each, list) and each[:1] and isinstance(each[0], str):
                yield from (str(arg[0]) for arg in each[1:] if isinstance(arg, list) and arg[:1])


def called(what: str) -> tuple[str, str] | None:
    """Return the thing and the method of a call."""
    if found := BLOCK.fullmatch(what):
        return found[2], "__aexit__" if found[1] else "__aenter__"
    if found := AWAITED.fullmatch(what):
        return found[1], ""
    found = CALL.fullmatch(what)
    return (found[1], found[2]) if found else None


def argument(what: str) -> str:
    """Return the last argument of a call that has one, as text."""
    return what.rpartition("(")[2].rstrip(")")


def awaited(block: Sequence[Json]) -> Iterator[str]:
    """Yield the text of each statement that may wait; "" where the order is not certain."""
    for kind, *rest in block:
        if kind == "try" and rest[0][:1] and rest[0][0][0] in WAITS:
            yield next(awaited(rest[0]))  # nothing can raise before it
        if kind in BRANCHES and not WAITS.isdisjoint(strings(rest)):
            yield ""
        elif kind in WAITS:
            yield f"{kind} {text(rest[0]) if rest else 1}"
        if kind == "with":
            yield from awaited(rest[2])


def overtaken(calls: Sequence[Call], newcomers: bool = True) -> tuple[Call, Call] | None:
    """Return a call that waited, and one that began later and came first; None if there is none.

    Without `newcomers`, one that need not wait may come first.
    """
    waited = [call for call in calls if call.ended is None or call.ended > call.begun + 1]
    for late in calls if newcomers else waited:
        for early in waited:
            before = early.begun < late.begun and (early.ended or sys.maxsize) > (late.ended or sys.maxsize)
            if before and late.returned and early.actor != late.actor and not early.outcome.startswith("raised"):
                return early, late
    return None
