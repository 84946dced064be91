"""The content of a smallest program: its words and its differences, in terms that signs are written in."""

from collections.abc import Collection
from functools import cached_property
from itertools import zip_longest

from ...programs.comparison import DifferentStep, classes, compared
from ...programs.enumeration import Json, Program
from ...programs.shrink import statements
from ..normal import Line, strings
from ..predicates.parts import Part
from ..predicates.trace import Trace


class ShownProgram:
    """A program with its differences."""

    def __init__(
        self,
        program: Program,
        expected: list[Line],
        seen: list[Line],
        kind: str,
        parts: Collection[Part] = (),
    ) -> None:
        self.program, self.expected, self.seen, self.kind = program, expected, seen, kind
        self.words = set(strings(program))
        self.things = classes(program)
        #: The steps that differ; with `parts`, only those.
        self.differing = compared(expected, seen)
        if parts:
            steps = {part.step[:2] for part in parts}
            self.differing = [each for each in self.differing if each[:2] in steps]

    def uses(self, *words: str) -> bool:
        """Return whether the program uses one of these names, or methods if they begin with a dot."""
        return any(word.endswith(word_) if word_[0] == "." else word == word_ for word_ in words for word in self.words)

    def call(self, *methods: str, wanted: str | None = None, had: str | None = None) -> bool:
        """Return whether a call of one of these methods or functions differs, at first with outcomes that begin so.

        An outcome that is "" stands for a call that did not return.
        """
        return any(
            (wanted is None or begins(old, wanted)) and (had is None or begins(new, had))
            for each in self.differing
            if named(each.what) in methods and each.actor != "end"
            for old, new in [first_pair(each)]
        )

    def returned(self, *methods: str) -> bool:
        """Return whether such a call returned that should not have done so."""
        return any(len(each.had) > len(each.wanted) for each in self.differing if named(each.what) in methods)

    def refuses(self, *methods: str) -> bool:
        """Return whether such a call, or the beginning of a block, raises an error that asyncio's does not."""
        errors = ("raised CancelledError", "raised TimeoutError")
        return any(
            begins(each.had, "raised") and not begins(each.had, errors) and not begins(each.wanted, "raised")
            for each in self.differing
            if named(each.what) in methods or ("with" in methods and each.what.startswith("end with"))
        )

    def another(self, *methods: str) -> bool:
        """Return whether such a call returned another value than it should."""
        return any(
            all(pair and not begins(pair, "raised") for pair in first_pair(each))
            for each in self.differing
            if named(each.what) in methods and each.wanted and each.had
        )

    @cached_property
    def ends(self) -> dict[str, tuple[str, str]]:
        """By the name of a thing: its state at the end, as expected and as seen."""
        return {
            each.what: ((*each.wanted, "")[0], (*each.had, "")[0]) for each in self.differing if each.actor == "end"
        }

    def end(self, wanted: str, had: str) -> bool:
        """Return whether a task or future is in a state that begins so, and not as it should be."""
        return any(old.startswith(wanted) and new.startswith(had) for old, new in self.ends.values())

    def end_of(self, kind: str, wanted: str, had: str) -> bool:
        """Return the same of a thing of that class; a body's task is a Task."""
        return any(
            old.startswith(wanted) and new.startswith(had)
            for name, (old, new) in self.ends.items()
            if self.things.get(name, "Task") == kind
        )

    def raised(self, error: str, but: str) -> bool:
        """Return whether something raises that error that should not, other than this method."""
        return any(
            begins(each.had, f"raised {error}") and not begins(each.wanted, f"raised {error}")
            for each in self.differing
            if named(each.what) != but and each.what != "main"
        )

    def results(self) -> list[tuple[str, str]]:
        """Return the results of calls and futures, as expected and as seen."""
        pairs = [((each.wanted or ("",))[-1], (each.had or ("",))[-1]) for each in self.differing]
        return [(wanted.removeprefix("gave "), had.removeprefix("gave ")) for wanted, had in pairs]

    def ends_of(self, name: str) -> list[tuple[str, str]]:
        """Return how blocks of that name end that end otherwise, as expected and as seen."""
        return [
            (each.wanted[-1], each.had[-1])
            for each in self.differing
            if each.what.startswith(f"end with {name}(") and each.wanted and each.had
        ]

    @property
    def stuck(self) -> bool:
        """Whether a task waits that should have ended."""
        return any(new == "pending" for _, new in self.ends.values())

    @property
    def freed(self) -> bool:
        """Whether a task has ended that should wait."""
        return any(old == "pending" for old, _ in self.ends.values())

    @property
    def overtaken(self) -> bool:
        """Whether a task has ended that is cancelled too late, and another, which should have, waits or comes later."""
        late = (("True",), ("False",))
        differing = compared(self.expected, self.seen)
        if not any((each.wanted, each.had) == late and named(each.what) == "cancel" for each in differing):
            return False
        wanted, had = (self.before(["cancel"], lines) for lines in (self.expected, self.seen))
        return self.stuck or not wanted <= had

    @property
    def fails(self) -> bool:
        """Whether main ends in an error, and should not: its later calls, such as a cancel, were never made."""
        wanted, had = self.ends.get("main", ("", ""))
        return had.startswith("raised") and not wanted.startswith("raised")

    @property
    def uncancelled(self) -> bool:
        """Whether a cancelled task went on."""
        if self.overtaken or self.fails:
            return False
        return self.end("cancelled", "gave") or any(
            begins(each.wanted, "raised CancelledError") and each.had and not begins(each.had, "raised")
            for each in self.differing
        )

    @property
    def went_on(self) -> bool:
        """Whether a task went on after a cancel of it was requested; not one that awaits a cancelled future."""
        asked = {word.removesuffix(".cancel") for word in self.words if word.endswith(".cancel")}
        tasks = {name for name in asked if self.things.get(name, "Task") == "Task"}
        bodies = {Trace(self.program, []).body(task) for task in tasks}
        return self.uncancelled and any(
            (each.what in tasks if each.actor == "end" else each.actor in bodies | tasks)
            and begins(each.wanted, ("cancelled", "raised CancelledError"))
            and bool(each.had and not begins(each.had, ("cancelled", "raised", "pending")))
            for each in self.differing
        )

    def early(self, *methods: str) -> bool:
        """Return whether another actor runs within one of main's calls of these methods, but should not."""
        wanted, had = (self.before(methods, lines) for lines in (self.expected, self.seen))
        return not had <= wanted

    def before(self, methods: Collection[str], lines: list[Line]) -> set[str]:
        """Return the steps of other actors before main's first call of one of these methods."""
        calls = [place for place, line in enumerate(lines) if line[1] == "main" and named(line[2]) in methods]
        return {str(line[1:]) for line in lines[: calls[0] if calls else 0] if line[1] != "main"}

    def called_in_bodies(self) -> set[str]:
        """Return the methods and functions that bodies call."""
        return {named(line[2]) for line in self.expected if line[1] in self.program["bodies"]}

    def cancels_of_groups(self) -> bool:
        """Return whether only tasks of a group are cancelled."""
        blocks = [block[place] for block, place in statements(self.program)]
        made = {
            each[1] for each in blocks if each[0] == "let" and str(each[2]).partition(",")[0].endswith(".create_task'")
        }
        return {"create_task", "loop.create_task"}.isdisjoint(self.words) and made.issuperset(self.cancelled())

    def cancelled(self) -> set[str]:
        """Return the things that the program cancels."""
        return {word.removesuffix(".cancel") for word in self.words if word.endswith(".cancel")}

    def raises_in_main(self) -> list[Json]:
        """Return every statement of main that raises a new exception."""
        blocks = statements({**self.program, "bodies": {}, "callbacks": {}})
        return [block[place] for block, place in blocks if block[place][0] == "raise" and len(block[place]) > 1]

    def calls(self) -> list[Json]:
        """Return every expression of the program that calls something."""

        def within(part: Json) -> list[Json]:
            parts = list(part.values()) if isinstance(part, dict) else part if isinstance(part, list) else []
            return [
                *([part] if isinstance(part, list) and part else []),
                *(e for each in parts for e in within(each)),
            ]

        return within(self.program)

    def twins(self, function: str) -> bool:
        """Return whether a thing is given twice to one call of that function."""
        given = [[arg for arg in call[1:] if isinstance(arg, str)] for call in self.calls() if call[0] == function]
        return any(len(set(names)) < len(names) for names in given)

    def awaits(self, name: str) -> bool:
        """Return whether the program awaits that task or future."""
        return ["await", name] in self.calls()

    def at_the_end(self) -> dict[str, str]:
        """Return the states at the end, as seen."""
        return {line[2]: line[3] for line in self.seen if line[1] == "end"}

    @cached_property
    def calls_that_differ(self) -> list[DifferentStep]:
        """The differences in the calls of tasks; not those of states at the end, nor of reports."""
        return [each for each in self.differing if each.actor not in ("end", "loop", "handler")]

    @property
    def waits(self) -> DifferentStep | None:
        """The first call that should return and does not, of those that a task awaits if there is one.

        Others are not reached, because of an error.
        """
        missing = [each for each in self.calls_that_differ if len(each.had) < len(each.wanted)]
        return min(missing, key=lambda each: not each.what.startswith("await "), default=None)

    @property
    def hangs_in(self) -> str:
        """The method that never returns, or "" if the difference is of another kind."""
        return named(self.waits.what) if self.kind in ("stuck", "lost") and self.waits else ""

    def look(self, name: str) -> tuple[str, str] | None:
        """Return the result of a method such as `locked` of a primitive at the end, as expected and as seen."""
        for old, new in self.ends.values():
            looks = [dict(pair.split("=", 1) for pair in text.split() if "=" in pair) for text in (old, new)]
            if name in looks[0] and looks[0].get(name) != looks[1].get(name):
                return looks[0][name], looks[1].get(name, "")
        return None

    def at_end(self, name: str) -> str:
        """Return the result of such a method at the end as seen, of the first primitive that has it."""
        texts: list[str] = [line[3] for line in self.seen if line[1] == "end"]
        found = [pair.split("=", 1)[1] for text in texts for pair in text.split() if pair.startswith(f"{name}=")]
        return (*found, "")[0]


def first_pair(each: DifferentStep) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first outcome that differs, as expected and as seen, and none where there is none."""
    place = next(place for place, pair in enumerate(zip_longest(each.wanted, each.had)) if pair[0] != pair[1])
    return each.wanted[place : place + 1], each.had[place : place + 1]


def begins(outcomes: tuple[str, ...], text: str | tuple[str, ...]) -> bool:
    """Return whether the last outcome begins with a text; "" stands for none."""
    return bool(outcomes) and outcomes[-1].startswith(text) if text else not outcomes


def named(what: str) -> str:
    """Return the method or function of a call."""
    return what.removeprefix("await ").partition("(")[0].rpartition(".")[2]
