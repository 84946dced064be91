"""The Python expressions of states and outcomes that a short function uses to assert them."""

import ast
import json
from typing import Final

from .runtimes import Program
from .script import Script, ScriptSubject
from .shrink import made, said

#: Looks of primitives that are attributes, not methods.
ATTRIBUTES: Final = ("n_waiting", "broken")


class Expressions(Script):
    """A program, with the expressions for its observations."""

    def __init__(self, program: Program, subject: ScriptSubject) -> None:
        super().__init__(program, subject)
        self.outside = "outside" in self.how

    def visible(self) -> set[str]:
        """Return the names that the assertion can use."""
        return made(self.program if self.outside else {"main": self.program["main"], "bodies": {}})

    def state(self, thing: str, wanted: str, had: str) -> str:
        """Return the expression of a thing's state that holds if it is the wanted one, and not if the other."""
        if wanted in ("pending", "cancelled") or wanted.startswith(("gave ", "raised ")):
            return self.outcome(thing, wanted, had)
        looks, others = (dict(each.split("=", 1) for each in some.split() if "=" in each) for some in (wanted, had))
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
                return f"len({thing}.exception().exceptions) == {wanted.count('), ') + 1}" * ("Group(" in wanted)
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
        if names == {"main"}:
            return outcome.replace("main", "asyncio.current_task()")
        if not outcome or not names <= self.visible() or any(isinstance(n, ast.Call) for n in ast.walk(tree)):
            return ""
        if outcome.startswith("[") and (outcome[1] == "{" or "tuple" in said(self.program)):
            outcome = f"({outcome[1:-1]})"
        return outcome.replace("{}", "set()")


def same_class(outcome: str, other: str) -> bool:
    """Return whether two outcomes are errors of the same class, or the same state."""
    return outcome.partition("(")[0] == other.partition("(")[0]
