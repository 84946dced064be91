"""A finding: a smallest program that breaks a rule, with the expected lines and those that were seen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...programs.enumeration import Program
from ...programs.plain import function
from ...programs.script import Subject, script, usual
from ..attribute import operations
from ..facts.fact import Fact, facts
from ..normal import Line, strings
from ..standin import StandIn
from ..subject import AS, located, split
from .shown import Shown

#: Names that the loop must use: how main makes it do so.
FACTORIES: Final = {
    "Future": ("asyncio.get_running_loop().create_future = lambda: Future()",),
    "Task": (
        "asyncio.get_running_loop().set_task_factory(lambda loop, coro, **given: Task(coro, loop=loop, **given))",
    ),
}
#: A loop that main runs on.
LOOP: Final = "new_event_loop"


@dataclass(frozen=True)
class Finding:
    """A program that breaks a rule, with the expected lines and those that were seen.

    `also` are rules of which programs fail, too, perhaps through the same cause; `because` rules of asyncio's own code,
    which stands on the subject's names.
    """

    name: str
    program: Program
    expected: list[Line]
    seen: list[Line]
    subject: str = "asyncio"  #: its name or file
    rule: str = ""
    kind: str = ""
    brings: tuple[str, ...] = ()  #: asyncio's names that the subject brings
    signed: bool = False  #: whether a sign names the rule (`signs.py`)
    said: str = ""  #: what was seen, if a predicate says it
    also: tuple[str, ...] = ()
    because: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """Its rule, and the others."""
        return (self.rule, *self.also)

    @property
    def fact(self) -> Fact | None:
        """The fact that is not true, if that is the finding."""
        return facts()[self.program["fact"]] if "fact" in self.program else None

    @property
    def operations(self) -> int:
        """The size of the program: see `attribute.operations`."""
        return operations(self.program)

    @property
    def hangs_in(self) -> str:
        """The method in which a task waits for ever, or ""."""
        return "" if self.fact else Shown(self.program, self.expected, self.seen, self.kind).hangs_in

    def function(self) -> str | None:
        """Return the program as a short pytest function, or None if it has none; see programs/plain.py."""
        path, thing = split(self.subject.partition(AS)[0])
        module = located(Path(path).resolve())[1] if path.endswith(".py") else path
        fact = self.fact
        words = fact.uses() if fact else {word.partition("(")[0] for word in strings(self.program)}
        used = [name for name in self.brings if name in words or name in (*FACTORIES, LOOP)]
        if module == "asyncio" or (thing and len(used) > 1):
            used = []
        imports = "".join(f"from {module} import {imported(name, thing)}\n" for name in used)

        def spell(name: str) -> str:
            return name if name in used else usual(name)

        setup = [line for name in used for line in FACTORIES.get(name, ())]
        test = self.rule.lower().replace("-", "_")
        stands = Subject(imports, spell, LOOP if LOOP in used else None)
        if fact:
            return fact.function(stands, setup)
        return function(test, self.program, self.expected, self.seen, stands, setup)

    def script(self) -> str:
        """Return the program as a script for asyncio, with the subject in asyncio's place; a fact as a test."""
        if self.fact:
            return self.function() or ""
        path, thing = split(self.subject)
        name = f"{Path(path).resolve()}:{thing}".rstrip(":") if path.endswith(".py") else path
        begin = f"\nfrom {StandIn.__module__} import StandIn\n\nsubject = StandIn({name!r})\n"
        stands = Subject(begin, spelled, "subject.loop()")
        return script(self.program, self.expected, self.seen, *([] if name == "asyncio" else [stands]))


@dataclass(frozen=True)
class Rejection:
    """A run of a state machine, of `machine`, that the specification rejects because of these rules."""

    machine: str
    rules: tuple[str, ...]
    text: str

    @property
    def title(self) -> str:
        """What failed, as a sentence."""
        return f"the state machine of {self.machine} fails"

    def lines(self) -> list[str]:
        """Return the lines of the report."""
        return [f"{self.title}: {', '.join(self.rules) or 'no rule'}", *self.text.rstrip().splitlines()]


def imported(name: str, thing: str) -> str:
    """Return what a script imports for a name, of a subject that may be one class."""
    return f"{thing} as {name}" if thing and thing != name else name


def spelled(name: str) -> str:
    """Return a name as the script of a finding has it."""
    return f"subject.{name}" if usual(name).startswith("asyncio.") else usual(name)
