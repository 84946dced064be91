"""The one thing that a short test function asserts of a program: what differed, in the simplest form.

The candidates, in this order: the state of a task or primitive at the end; the outcome of one call of main; the results
of one call in a body or callback, collected in a list; the order of calls; the errors that are reported; the time.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, Final

from ..vectors.player import text
from .compared import Different, classes, compared
from .runtimes import Line, Program, timed
from .script import Script, Subject, delays, quoted
from .shrink import blocks_in, made, said
from .staged import FIRST, ROUNDS

# `Any` in this file: programs are JSON (vectors/FORMAT.md).

#: Looks of primitives that are attributes, not methods.
ATTRIBUTES: Final = ("n_waiting", "broken")
#: Seconds until everything that can happen has happened, in a program without timers.
REST: Final = 0.1


class Inexpressible(Exception):
    """The program, or its difference, has no short form."""


class Asserted(Script):
    """A program, and what a short function asserts of it."""

    def __init__(
        self,
        name: str,
        program: Program,
        expected: list[Line],
        seen: list[Line],
        subject: Subject,
        setup: Sequence[str],
    ) -> None:
        super().__init__(program, subject)
        self.name, self.expected, self.seen, self.setup = name, expected, seen, setup
        self.differing = compared(expected, seen)
        self.main_end = next((line[3] for line in expected if line[1:3] == ["end", "main"]), "")
        self.main_had = next((line[3] for line in seen if line[1:3] == ["end", "main"]), "")
        self.imports = ["asyncio"]
        #: (actor, what) -> how: "value", "label" or "error"; "before": nothing is recorded yet when it returns
        self.recorded: dict[tuple[str, str], str] = {}
        self.asserts: dict[
            tuple[str, str], str
        ] = {}  #: (actor, what) -> the comparison that follows the call
        self.raises: dict[
            tuple[str, str], str
        ] = {}  #: (actor, what) -> the error that main's call must raise
        self.last = ""  #: the assertion at the end
        self.ends_in = ""  #: the error that main must end in
        ends = self.main_end.startswith("gave ")
        self.outside = "outside" in self.how
        self.as_task = not self.outside and (not ends or "main" in said(program))
        self.hangs = not self.as_task and self.main_had == "pending"
        self.leaves = ""  #: the error that must leave the loop
        self.sleeps = REST + sum(delays(program)) if timed(program) else REST
        if not self.hangs:
            self.choose()
        told = self.main_end.startswith("raised ") and "main" not in said(program)
        if self.as_task and told and "main" not in self.last and same_class(self.main_end, self.main_had):
            self.end_in(self.main_end)

    # --- the assertion ---------------------------------------------------------------------------------------

    def choose(self) -> None:
        """Choose what is asserted: the first of these that the difference has."""
        if "ambient" in self.how or "grew" in said(self.program):
            raise Inexpressible
        if any(each.what == "repeat" for each in self.differing):
            self.last = f"sizes[-1] - sizes[{FIRST - 1}] < {ROUNDS}"
            return
        left = [each for each in self.differing if each[:2] == ("loop", "left")]
        if left and left[0].wanted:
            self.leaves, self.imports = self.error(left[0].wanted[0]), ["asyncio", "pytest"]
            return
        last = [each for each in self.differing if each.actor == "main" and each.wanted == (self.main_end,)]
        if last and "main" not in said(self.program) and self.in_main(last[0]):
            return
        ends = [each for each in self.differing if each.actor == "end" and len(each.wanted) == 1]
        kinds = classes(self.program)
        ends.sort(
            key=lambda each: (
                each.what == "main",
                each.had != ("pending",),
                kinds.get(each.what) not in ("Task", "Future"),
            )
        )
        for each in ends:
            if self.at_end(each):
                return
        for each in self.differing:
            if self.in_main(each):
                return
        for choice in (self.in_bodies, self.in_order, self.in_handler, self.in_time):
            if choice():
                return
        raise Inexpressible

    def at_end(self, each: Different) -> bool:
        """Assert the state of a thing at the end."""
        if each.what == "main" and not self.as_task:
            return False
        raises = each.what == "main" and self.main_end.startswith("raised ")
        if raises and "main" not in said(self.program) and not same_class(self.main_end, self.main_had):
            return self.end_in(self.main_end)
        if each.what != "main" and each.what not in self.visible():
            return False
        self.last = self.state(each.what, each.wanted[0], (*each.had, "")[0])
        return bool(self.last)

    def end_in(self, outcome: str) -> bool:
        """Have main end in this error."""
        self.ends_in, self.as_task = self.error(outcome), False
        self.hangs = self.main_had == "pending"
        self.imports = sorted({*self.imports, "pytest"})
        return True

    def visible(self) -> set[str]:
        """Return the names that the assertion can use."""
        return made(self.program if self.outside else {"main": self.program["main"], "bodies": {}})

    def in_main(self, each: Different) -> bool:
        """Assert the outcome of one call of main."""
        if each.actor != "main" or len(each.wanted) != 1 or self.count(each) != 1:
            return False
        wanted, key = each.wanted[0], (each.actor, each.what)
        if each.what.startswith("see "):
            state = self.state(each.what[4:], wanted, (*each.had, "")[0])
            self.asserts[key] = state
            return bool(state)
        if each.what.startswith(("with ", "end with ")):
            return False
        if wanted.startswith("raised "):
            message = wanted.partition("(")[2].removesuffix(")")
            if (*each.had, "")[0].partition("(")[0] == wanted.partition("(")[0]:
                if message[:1] not in ("'", '"'):
                    return False
                self.raises[key] = f"{self.error(wanted)}, match={quoted(ast.literal_eval(message))}"
            else:
                self.raises[key] = self.error(wanted)
            self.imports.append("pytest")
            self.as_task = self.as_task and self.main_end != wanted
            return True
        self.asserts[key] = self.equals("({})", wanted, (*each.had, "")[0])
        return bool(self.asserts[key])

    def in_bodies(self) -> bool:
        """Collect the results of one call, and assert them."""
        for each in self.differing:
            if each.actor not in {"main", *self.program["bodies"], *self.callbacks}:
                continue
            leaves = each.what.startswith("end with ") and "raised " in each.wanted[0]
            if each.what.startswith(("see ", "with ", "end with ")) and not leaves:
                continue
            if each.what == "called":
                self.recorded[each[:2]] = "label"
                self.last = f"seen == {[each.actor] * len(each.wanted)}".replace("'", '"')
            elif all(self.literal(outcome) for outcome in each.wanted):
                self.recorded[each[:2]] = "value"
                self.last = f"seen == [{', '.join(map(self.literal, each.wanted))}]"
            elif len(each.wanted) == 1 and each.wanted[0].startswith("raised "):
                self.recorded[each[:2]] = "error"
                self.last = f"seen == [{json.dumps(each.wanted[0].removeprefix('raised '))}]"
            else:
                continue
            return True
        return False

    def in_time(self) -> bool:
        """Assert that a task has ended in time."""
        if self.differing or self.expected[-1][0] >= self.seen[-1][0]:
            return False
        late = [
            new
            for old, new in zip(self.expected, self.seen, strict=True)
            if old[0] < new[0] and new[1] != "end"
        ]
        kinds = classes(self.program)
        tasks = [line for line in self.expected if late and line[1] == "end" and kinds.get(line[2]) == "Task"]
        tasks = [line for line in tasks if line[3] != "pending" and line[2] in self.visible()]
        if tasks:
            self.last, self.sleeps = f"{tasks[-1][2]}.done()", REST
        return bool(tasks)

    def in_order(self) -> bool:
        """Collect which actor did what, and assert the order."""
        lines: list[list[tuple[str, str]]] = [
            [(line[1], line[2]) for line in some if line[1] not in ("end", "loop")]
            for some in (self.expected, self.seen)
        ]
        texts = [[f"{actor}: {what}" for actor, what in some] for some in lines]
        if self.differing or texts[0] == texts[1]:
            return False
        matcher = SequenceMatcher(None, texts[0], texts[1], autojunk=False)
        moved = [place for place, line in enumerate(lines[0]) if not in_blocks(matcher, place)]
        if not moved:
            return False
        later = [texts[1].index(texts[0][place]) for place in moved]
        window = lines[0][min(*moved, *later, moved[0]) : max(*moved, *later, moved[0]) + 1]
        window = [key for key in window if not key[1].startswith(("see ", "with ", "end with "))]
        window, had = ([key for key in some if key in window] for some in lines)
        if window == had or len(window) < 2:
            return False
        self.recorded = dict.fromkeys(window, "label")
        *before, last = window
        if last[0] != "main" and {actor for actor, _ in before} == {"main"} and had[-1][0] == "main":
            self.recorded = {**dict.fromkeys(before, "before"), last: "label"}  # main asserts it itself
            return True
        self.last = f"seen == {[self.label(actor, what) for actor, what in window]!r}".replace("'", '"')
        return True

    def in_handler(self) -> bool:
        """Collect the errors that are reported to the loop's exception handler."""
        for each in self.differing:
            if each.actor == "handler":
                self.things.add("loop")
                self.recorded["handler", "report"] = "report"
                self.last = f"len(seen) == {len(each.wanted)}"
                return len(each.wanted) != len(each.had)
        return False

    def label(self, actor: str, what: str) -> str:
        """Return the word that is recorded for a call."""
        alone = len([key for key in self.recorded if key[0] == actor]) == 1
        return actor if alone else f"{actor}: {what}"

    def count(self, each: Different) -> int:
        """Return how often main has a statement."""
        return sum(
            self.what(statement) == each.what
            for block in blocks_in(self.program["main"])
            for statement in block
        )

    @staticmethod
    def what(statement: list[Any]) -> str:
        """Return the text under which a statement is noted."""
        kind, *rest = statement
        if kind == "do":
            return text(rest[0])
        return f"{kind} {text(rest[0])}" if kind in ("await", "see") else ""

    def state(self, thing: str, wanted: str, had: str) -> str:
        """Return the expression of a thing's state that holds if it is the wanted one, and not if the other."""
        if wanted in ("pending", "cancelled") or wanted.startswith(("gave ", "raised ")):
            return self.outcome(thing, wanted, had)
        looks, others = (
            dict(each.split("=", 1) for each in some.split() if "=" in each) for some in (wanted, had)
        )
        for look, value in looks.items():
            if others.get(look) != value:
                call = f"{thing}.{look}" + ("" if look in ATTRIBUTES else "()")
                plain = {"True": call, "False": f"not {call}"}
                return plain.get(value, f"{call} == {value}")
        return ""

    def outcome(self, thing: str, wanted: str, had: str) -> str:
        """Return the same for a future."""
        if wanted == "pending":
            return f"not {thing}.done()"
        if wanted == "cancelled":
            return f"{thing}.cancelled()"
        if had in ("pending", ""):
            return f"{thing}.done()"
        if had == "cancelled":
            return f"not {thing}.cancelled()"
        if wanted.startswith("raised "):
            if had.partition("(")[0] == wanted.partition("(")[0]:
                return f"len({thing}.exception().exceptions) == {wanted.count('), ') + 1}" * (
                    "Group(" in wanted
                )
            return f"isinstance({thing}.exception(), {self.error(wanted)})"
        if had.startswith("raised "):
            return f"{thing}.exception() is None"
        return self.equals(f"{thing}.result()", wanted.removeprefix("gave "), had.removeprefix("gave "))

    def equals(self, call: str, wanted: str, had: str) -> str:
        """Return the comparison of a call with a value, by its repr if == would not do."""
        value = self.literal(wanted)
        if value in ("None", "True", "False"):
            return f"{call} is {value}"
        if wanted in self.visible():
            return f"{call} is {wanted}"
        if wanted in self.things:
            return ""  # the function has no name for it
        alike = self.literal(had) and wanted.isdigit() and had in ("True", "False")
        if value and not alike:
            return f"{call} == {value}"
        if wanted.startswith("{") or "something" in wanted:  # things, which have no such repr
            return ""
        return f"repr({call}) == {json.dumps(wanted)}" if wanted else ""

    def error(self, outcome: str) -> str:
        """Return the class of the error of an outcome, as `raised KeyError(1)`."""
        return self.subject.spell(outcome.removeprefix("raised ").partition("(")[0])

    def literal(self, outcome: str) -> str:
        """Return the Python expression of an outcome, or "" if there is none."""
        try:
            tree = ast.parse(outcome, mode="eval")
        except SyntaxError:
            return ""
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if not outcome or not names <= self.visible() or any(isinstance(n, ast.Call) for n in ast.walk(tree)):
            return ""
        if outcome.startswith("[") and (outcome[1] == "{" or "tuple" in said(self.program)):
            outcome = f"({outcome[1:-1]})"
        return outcome.replace("{}", "set()")


def same_class(outcome: str, other: str) -> bool:
    """Return whether two outcomes are errors of the same class, or the same state."""
    return outcome.partition("(")[0] == other.partition("(")[0]


def in_blocks(matcher: SequenceMatcher[str], place: int) -> bool:
    """Return whether a place of the first sequence matches one of the second."""
    return any(block.a <= place < block.a + block.size for block in matcher.get_matching_blocks())
