"""The one thing that a short test function asserts of a program: the difference, in its simplest form.

The candidates, in this order: the state of a task or primitive at the end; the outcome of one call of main; the results
of one call in a body or callback, collected in a list; the order of calls; the errors that are reported; the time.
"""

import ast
import json
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import Any, Final, TypeAlias

from .comparison import DifferentStep, classes, compared
from .expressions import Expressions, same_class
from .runtimes import Line, Program, timed
from .script import ScriptSubject, delays, quoted
from .shrink import blocks_in, said
from .stages import FIRST, ROUNDS
from .vectors.player import text

# `Any` in this file: programs are JSON (vectors/FORMAT.md).

#: Seconds until everything that can happen has happened, besides the delays of the program.
REST: Final = 1
#: The forms of a function.  Main is run, or it is a task that a Runner gives turns, perhaps with a clock that makes
#: every timer due.
RUN, RUNNER = "run", "runner"
FRAMES: Final = ((RUN, False), (RUNNER, False), (RUNNER, True))
#: The name of the task of main, or of the call where main waits for ever.
WAITS: Final = "task"
Call: TypeAlias = tuple[str, str]


class Inexpressible(Exception):
    """The program, or its difference, has no short form."""


class Asserted(Expressions):
    """A program, and the assertion that a short function makes about it."""

    def __init__(
        self,
        name: str,
        program: Program,
        expected: list[Line],
        seen: list[Line],
        subject: ScriptSubject,
        setup: Sequence[str],
        place: int,
        frame: str,
        clock: bool,
    ) -> None:
        """Choose the assertions: `place` of the choices, in a function of that form (`FRAMES`).

        Raises:
            Inexpressible: the program has no such difference.
            IndexError: there is no such choice.
        """
        super().__init__(program, subject)
        self.name, self.expected, self.seen, self.setup = name, expected, seen, setup
        self.differing = compared(expected, seen)
        self.main_end = next((line[3] for line in expected if line[1:3] == ["end", "main"]), "")
        self.main_had = next((line[3] for line in seen if line[1:3] == ["end", "main"]), "")
        self.imports = ["asyncio"]
        # By call, an actor and what it does:
        #: How it is recorded: "value", "label" or "error"; "before": nothing is recorded yet when it returns.
        self.recorded: dict[Call, str] = {}
        self.asserts: dict[Call, str] = {}  #: the comparison that follows it
        self.raises: dict[Call, str] = {}  #: the error that it must raise, of main
        self.last = ""  #: the assertion at the end
        self.ends_in = ""  #: the error that main must end in
        self.cut = ""  #: the statement of main that is its last one
        self.caught = ""  #: the repr of the error that main's call must raise, if its class is not enough
        self.outer = ""  #: the assertion about the task of main, outside of its loop
        self.waits = ""  #: the statement of main that is its last one, and becomes a task that must end
        self.returned: set[str] = set()  #: the bodies that return the result of their last statement
        self.frame, self.clock = frame, clock
        self.in_main_only = "main" not in said({**program, "main": []})  # it may be the current task
        self.task = WAITS if self.in_main_only else "main"  #: the name of the task of main
        #: whether main, right, does not end, or in an error that is not asserted
        self.unended = not self.outside and not self.main_end.startswith("gave ")
        self.leaves = ""  #: the error that must leave the loop
        self.timed = clock and timed(program) and not self.outside
        self.sleeps = REST + sum(delays(program))
        if not self.choices()[place]():
            raise Inexpressible
        self.complete()
        as_task = bool(self.outer) or not (self.in_main_only or self.outside)
        if (self.unended and (self.last or not self.outer)) or (as_task and frame != RUNNER):
            raise Inexpressible

    # --- the assertion ---------------------------------------------------------------------------------------

    def choices(self) -> list[Callable[[], bool]]:
        """Return the possible assertions, the plainest first; each returns whether the difference has it."""
        if "ambient" in self.how:
            return []
        differing = self.differing
        ends = [each for each in differing if each.actor == "end" and len(each.wanted) == 1]
        kinds = classes(self.program)
        ends.sort(
            key=lambda each: (
                each.what == "main",
                each.had != ("pending",),
                kinds.get(each.what) not in ("Task", "Future"),
            )
        )
        last = [each for each in differing if each.wanted == (self.main_end,)]
        return [
            self.in_memory,
            self.in_loop,
            self.in_error,
            *(partial(self.in_wait, each) for each in differing),
            *(partial(self.in_main, each) for each in last),
            *(partial(self.at_end, each) for each in ends),
            *(partial(self.in_main, each) for each in differing),
            *(partial(self.in_result, each) for each in differing),
            *(partial(self.in_bodies, each) for each in differing),
            self.in_order,
            self.in_handler,
            self.in_time,
        ]

    def complete(self) -> None:
        """Have main end as it should, besides the assertions so far."""
        inside = bool(self.asserts or self.raises) or "before" in self.recorded.values()
        if not self.unended or self.outer:
            return
        if inside:
            self.outer = self.outcome(self.task, self.main_end, "raised AssertionError()")
        elif self.main_end == self.main_had == "cancelled":
            self.end_in("raised CancelledError()")
        elif self.main_end.startswith("raised ") and same_class(self.main_end, self.main_had):
            self.end_in(self.main_end)

    def in_memory(self) -> bool:
        """Assert that rounds of a repeated block keep nothing."""
        self.last = f"sizes[-1] - sizes[{FIRST - 1}] < {ROUNDS}"
        return any(each.what == "repeat" for each in self.differing)

    def in_loop(self) -> bool:
        """Assert the error that leaves the loop."""
        left = [each.wanted[0] for each in self.differing if each[:2] == ("loop", "left") and each.wanted]
        if left:
            self.leaves, self.imports = self.error(left[0]), ["asyncio", "pytest"]
        return bool(left)

    def in_error(self) -> bool:
        """Assert that main raises nothing, by nothing but itself."""
        return self.main_end.startswith("gave ") and self.main_had.startswith("raised ")

    def in_wait(self, each: DifferentStep) -> bool:
        """Turn the call where main waits for ever into a task, and assert that it ends."""
        hangs = each.actor == "main" and len(each.had) < len(each.wanted) and each.what.startswith("await ")
        if not hangs or self.unended or self.frame != RUN or self.own().count(each.what) != 1 or self.count(each) != 1:
            return False
        self.cut = self.waits = each.what
        e = next(s[1] for s in self.program["main"] if self.what(s) == each.what)
        self.last = f"{e if isinstance(e, str) else WAITS}.done()"
        return WAITS not in self.things

    def own(self) -> list[str]:
        """Return the texts of main's statements, without those inside of others."""
        return [self.what(statement) for statement in self.program["main"]]

    def at_end(self, each: DifferentStep) -> bool:
        """Assert the state of a thing at the end."""
        wanted, had = each.wanted[0], (*each.had, "")[0]
        if each.what == "main":
            if self.main_end.startswith("raised ") and not same_class(self.main_end, self.main_had):
                return self.end_in(self.main_end)
            self.outer = self.state(self.task, wanted, had)
            return bool(self.outer)
        if each.what not in self.visible():
            return False
        self.last = self.state(each.what, wanted, had)
        return bool(self.last)

    def end_in(self, outcome: str) -> bool:
        """Have main end in this error."""
        self.ends_in, self.unended = self.error(outcome), False
        self.imports = sorted({*self.imports, "pytest"})
        return True

    def in_main(self, each: DifferentStep) -> bool:
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
                if message[:1] in ("'", '"'):
                    self.raises[key] = f"{self.error(wanted)}, match={quoted(ast.literal_eval(message))}"
                else:
                    self.raises[key] = self.error(wanted)
                    self.caught = wanted.removeprefix("raised ")
            else:
                self.raises[key] = self.error(wanted)
            self.imports.append("pytest")
            ends = self.main_end == wanted or (
                self.main_end == "cancelled" and wanted.startswith("raised CancelledError")
            )
            if ends and each.what in self.own():
                self.unended, self.cut = False, each.what  # the statements after it are never reached
            return True
        self.asserts[key] = self.equals("({})", wanted, (*each.had, "")[0])
        return bool(self.asserts[key])

    def in_result(self, each: DifferentStep) -> bool:
        """Have a body return the result of its last call, and assert that of its task."""
        last = self.program["bodies"].get(each.actor, [[""]])[-1:]
        tasks = [task for task, body in self.started() if body == ["body", each.actor]]
        if len(tasks) != 1 or len(each.wanted) != 1 or [self.what(s) for s in last] != [each.what]:
            return False
        self.returned.add(each.actor)
        wanted, had = (
            outcome if outcome.startswith("raised ") else f"gave {outcome}"
            for outcome in (each.wanted[0], (*each.had, "")[0])
        )
        self.last = self.state(tasks[0], wanted, had if each.had else "pending")
        return bool(self.last) and not each.what.startswith("see ")

    def started(self) -> list[list[Any]]:
        """Return the names of tasks that main starts, each with its coroutine."""
        lets = [s[1:] for s in self.program["main"] if s[0] == "let" and isinstance(s[2], list)]
        return [[name, made[1]] for name, made in lets if made[0].endswith("create_task")]

    def in_bodies(self, each: DifferentStep) -> bool:
        """Collect the results of one call, and assert them."""
        if each.actor not in {"main", *self.program["bodies"], *self.callbacks}:
            return False
        raised = len(each.wanted) == 1 and each.wanted[0].startswith("raised ")
        if each.what.startswith(("see ", "with ", "end with ")) and not (raised and each.what[0] == "e"):
            return False
        if each.what.startswith("grew("):
            self.recorded[each[:2]] = "value"
            self.last = "seen == sorted(seen, reverse=True)"
        elif each.what == "called":
            self.recorded[each[:2]] = "label"
            self.last = f"seen == {[each.actor] * len(each.wanted)}".replace("'", '"')
        elif all(self.literal(outcome) for outcome in each.wanted):
            self.recorded[each[:2]] = "value"
            self.last = f"seen == [{', '.join(map(self.literal, each.wanted))}]"
        elif raised:
            # Of an error that is not of the same class, the class is all that counts.
            alike = each.what.startswith("end with ") or same_class(each.wanted[0], (*each.had, "")[0])
            self.recorded[each[:2]] = "error" if alike else "class"
            error = each.wanted[0].removeprefix("raised ")
            self.last = f"seen == [{json.dumps(error if alike else error.partition('(')[0])}]"
        return bool(self.last)

    def in_time(self) -> bool:
        """Assert that a task has ended in time, or not too early."""
        if self.differing:
            return False
        pairs = zip(self.expected, self.seen, strict=True)
        moved = [(old, new) for old, new in pairs if old[0] != new[0] and new[1] != "end"]
        for (wanted, actor, *_), (had, *_) in moved:
            self.sleeps = (wanted + had) / 2000
            if actor == "main" and self.frame == RUNNER:
                self.outer = f"{self.task}.done()" if wanted < had else f"not {self.task}.done()"
            for task, body in self.started():
                if body == ["body", actor]:
                    self.last = f"{task}.done()" if wanted < had else f"not {task}.done()"
            if self.outer or self.last:
                return True
        if not moved and self.clock and self.visible() & {task for task, _ in self.started()}:
            wanted, had = self.expected[-1][0], self.seen[-1][0]
            self.sleeps = (wanted + had) / 2000
            task = self.started()[-1][0]
            self.last = f"{'not ' * (wanted > had)}{task}.done()" * (wanted != had)
        return bool(self.last)

    def in_order(self) -> bool:
        """Collect the acts with their actors, and assert the order."""
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
        window = [key for key in window if not key[1].startswith(("see ", "end with "))]
        firsts = list({key[0]: key for key in reversed(window)}.values())
        for some in (firsts, window):
            window, had = ([key for key in each if key in some] for each in lines)
            if window != had:
                break
        if window == had or len(window) < 2:
            return False
        self.recorded = dict.fromkeys(window, "label")
        *before, last = window
        calls = not any(what.startswith("with ") for _, what in before)
        if calls and last[0] != "main" and {actor for actor, _ in before} == {"main"} and had[-1][0] == "main":
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

    def count(self, each: DifferentStep) -> int:
        """Return how often main has a statement."""
        return sum(
            self.what(statement) == each.what for block in blocks_in(self.program["main"]) for statement in block
        )

    @staticmethod
    def what(statement: list[Any]) -> str:
        """Return the text under which a statement is noted."""
        kind, *rest = statement
        if kind == "do":
            return text(rest[0])
        return f"{kind} {text(rest[0])}" if kind in ("await", "see") else ""


def in_blocks(matcher: SequenceMatcher[str], place: int) -> bool:
    """Return whether a place of the first sequence matches one of the second."""
    return any(block.a <= place < block.a + block.size for block in matcher.get_matching_blocks())
