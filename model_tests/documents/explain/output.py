"""The output of the program of a page: those of the vector's lines that a short program can print, in the same words.

A line is printed by the statement that it is of.  Of a statement in a loop, or in a body that several tasks run, there
are several lines: they are printed if all are alike.
"""

import ast
import asyncio
import builtins
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from ...programs.runtimes import Line, Program
from ...programs.shrink import blocks_in
from ...programs.vectors.player import text

# `Any` in this file: programs are JSON (vectors/FORMAT.md).

#: An error, with the arguments that the vectors show, which are no messages.
ERROR: Final = re.compile(r"(?P<name>[A-Z]\w+)\((?P<args>.*)\)")
#: The expression that makes an object of a class.
MADE: Final = re.compile(r"([A-Z]\w+)\(")
#: The results of `wait`: two sets of things.
SETS: Final = re.compile(r"\[\{(.*)\}, \{(.*)\}\]")
#: Attributes that are read without a call.
ATTRIBUTES: Final = ("n_waiting", "broken")


@dataclass(frozen=True)
class Print:
    """A statement that prints `what -> words`; an expression gives the words, and without one they are sure."""

    what: str
    expression: str
    words: str

    def statement(self, actor: str) -> str:
        """Return the statement of an actor."""
        if self.expression:
            raised = " raised" * self.words.startswith("raised ")
            return f'print("{actor}: {self.what} ->{raised}", {self.expression})\n'
        return f'print("{self.line(actor)}")\n'

    def line(self, actor: str) -> str:
        """Return its output."""
        return f"{actor}: {self.what} -> {self.words}"


def key(kind: str, *rest: Any) -> str:
    """Return the outcome of a statement according to its lines; empty, if it has no lines."""
    match kind:
        case "do":
            return text(rest[0])
        case "await":
            return f"await {text(rest[0])}"
        case "see":
            return f"see {rest[0]}"
        case "with":
            return f"end with {text(rest[0])}"
    return ""


@dataclass
class PrintedLines:
    """The lines of a vector: which statement each is of, and its printed words, if any.

    Parameters:
        program: that of the vector.
        lines: its observations.
    """

    program: Program
    lines: list[Line]
    #: The words of the lines that are printed, by their index.
    words: dict[int, str] = field(default_factory=dict)
    _taken: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        bodies = {**self.program["bodies"], "main": self.program["main"]}
        self._statements = Counter(
            (actor, key(*statement))
            for actor, body in bodies.items()
            for block in blocks_in(body)
            for statement in block
        )

    def take(self, actor: str, what: str) -> list[int]:
        """Return the indexes of the lines of the next statement, in the order of the text, that is this one.

        There is none if no line is of it alone, and the lines of all such statements are not alike.
        """
        place = self._taken[actor, what]
        self._taken[actor, what] += 1
        found = self.of(actor, what)
        if len(found) == self._statements[actor, what]:
            return found[place : place + 1]
        alike = len({self.lines[index][3] for index in found}) == 1
        return found if alike else []

    def of(self, actor: str, what: str) -> list[int]:
        """Return the indexes of all lines of an actor that say this."""
        return [index for index, line in enumerate(self.lines) if line[1:3] == [actor, what]]

    def outcome(self, indexes: list[int]) -> str:
        """Return the outcome of these lines, which are alike; empty if there are none."""
        return self.lines[indexes[0]][3] if indexes else ""

    def say(self, indexes: list[int], words: str) -> None:
        """Note that these lines are printed, and how."""
        self.words.update(dict.fromkeys(indexes, words))

    def last(self, actor: str | None = None) -> tuple[int, int]:
        """Return the time in milliseconds, and the index, of the last line of an actor, or of all; of no end."""
        found = [
            (line[0], index) for index, line in enumerate(self.lines) if line[1] != "end" and actor in (None, line[1])
        ]
        return max(found, default=(0, -1))


# --- expressions and their words ---------------------------------------------------------------------------------


def value(what: str, expression: str, outcome: str) -> Print | None:
    """Return how the value of an expression is printed; None if the vector does not show it in Python's words."""
    if found := SETS.fullmatch(outcome):
        sizes = [len(each.split(", ")) if each else 0 for each in found.groups()]
        return Print(f"{what}: done, pending", f"[*map(len, {expression})]", str(sizes))
    if (made := MADE.match(what)) and outcome == "something":
        return Print(what, f"type({expression}).__name__", made[1])
    if ERROR.fullmatch(outcome):
        return error(what, expression, outcome)
    try:
        plain = ast.literal_eval(outcome)
    except (ValueError, SyntaxError):
        return None
    return Print(what, f"repr({expression})" if isinstance(plain, str) else expression, outcome)


def error(what: str, expression: str, outcome: str) -> Print | None:
    """Return how an error is printed: by its name if it may have a message, which no rule is about."""
    found = ERROR.fullmatch(outcome)
    assert found
    if found["name"].endswith("Group"):
        shown = Print(what, f"[*{expression}.exceptions]", f"[{found['args']}]")
        return None if "()" in found["args"] else shown
    if found["args"]:
        return Print(what, f"repr({expression})", outcome)
    return Print(what, f"type({expression}).__name__", found["name"])


def caught(what: str, handler: str, outcome: str) -> Print | None:
    """Return how an error that a statement raised is printed by the handler that catches it, as `error`."""
    shown = error(what, "error", outcome.removeprefix("raised "))
    if shown is None:
        return None
    expression = "" if shown.words == handler else shown.expression
    return Print(what, expression, f"raised {shown.words}")


def look(name: str, state: str) -> Print | None:
    """Return how the state of a thing is printed."""
    word, _, shown = state.partition(" ")
    match word:
        case "pending":
            return Print(f"{name}.done()", f"{name}.done()", "False")
        case "cancelled":
            return Print(f"{name}.cancelled()", f"{name}.cancelled()", "True")
        case "gave":
            return value(f"{name}.result()", f"{name}.result()", shown)
        case "raised":
            return error(f"{name}.exception()", f"{name}.exception()", shown)
    attribute, _, shown = word.partition("=")
    looks = f"{name}.{attribute}" + "()" * (attribute not in ATTRIBUTES)
    return Print(looks, looks, shown)


def catches(handler: str, outcome: str) -> bool:
    """Whether `except handler` catches the exception."""
    found = ERROR.fullmatch(outcome.removeprefix("raised "))
    return found is not None and (found["name"] == handler or issubclass(_class(found["name"]), _class(handler)))


def _class(name: str) -> type:
    found = getattr(builtins, name, None) or getattr(asyncio, name, None)
    return found if isinstance(found, type) else type(name, (Exception,), {})
