"""The report of the kit: a line for each rule, a runnable script for each broken one, and totals.

Rules come in the order of their families.  A rule is held if programs were played that would show it broken, and did
not; any other state is given with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from spec.kit.rules import rule_of
from spec.promises import PROMISES
from spec.registry import REGISTRY

from ..programs.enumeration import Program
from ..programs.script import Subject, script, usual
from .attribute import operations
from .judge import State
from .normal import Line
from .standin import StandIn
from .subject import split

FAMILIES: Final = (
    *(
        "FUT",
        "TASK",
        "CANCEL",
        "AWAIT",
        "SHIELD",
        "QUEUE",
        "LOCK",
        "SEM",
        "COND",
        "EVENT",
        "BARRIER",
        "SLEEP",
    ),
    *("TIMEOUT", "WAITFOR", "GATHER", "WAIT", "ASDONE", "GROUP", "ENSURE", "WRAP", "LOOP", "RUN"),
)


def spelled(name: str) -> str:
    """Return a name as the script of a finding has it."""
    return f"subject.{name}" if usual(name).startswith("asyncio.") else usual(name)


@dataclass(frozen=True)
class Finding:
    """A program that breaks a rule, with the expected lines and those that were seen."""

    name: str
    program: Program
    expected: list[Line]
    seen: list[Line]
    subject: str = "asyncio"  #: its name or file

    @property
    def operations(self) -> int:
        """The size of the program: see `attribute.operations`."""
        return operations(self.program)

    def script(self) -> str:
        """Return the program as a script for asyncio, with the subject in asyncio's place."""
        path, thing = split(self.subject)
        name = f"{Path(path).resolve()}:{thing}".rstrip(":") if path.endswith(".py") else path
        begin = f"\nfrom {StandIn.__module__} import StandIn\n\nsubject = StandIn({name!r})\n"
        stands = Subject(begin, spelled, "subject.loop()")
        return script(self.program, self.expected, self.seen, *([] if name == "asyncio" else [stands]))


@dataclass
class Verdict:
    """The state of a rule."""

    rule: str
    standing: str
    sentence: str
    state: State = State.ABSENT
    why: str = ""
    cases: int = 0
    finding: Finding | None = None

    @property
    def scenarios(self) -> int:
        """Old name of `cases`, for one release."""
        return self.cases

    def line(self) -> str:
        """Return the line of the report."""
        why = f"{self.state.value}: {self.why}" if self.why else self.state.value
        return f"{self.rule:<11}{self.standing:<12}{why:<16}  {self.sentence}".rstrip()


@dataclass
class Report:
    """The results for a subject."""

    subject: str
    verdicts: list[Verdict]
    notes: list[str] = field(default_factory=list)
    machines: list[str] = field(default_factory=list)  #: the failures that state machines found

    def of(self, state: State) -> list[Verdict]:
        """Return the rules in this state."""
        return [verdict for verdict in self.verdicts if verdict.state is state]

    @property
    def broken(self) -> list[Verdict]:
        """The broken rules, those with the smallest program first."""
        return sorted(self.of(State.BROKEN), key=lambda v: v.finding.operations if v.finding else 0)

    @property
    def status(self) -> int:
        """The exit status: 0 if all rules hold or are known bugs of this version, 1 if one is broken."""
        return 1 if self.broken or self.machines else 0

    def text(self) -> str:
        """Return the report as text."""
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        for verdict in self.verdicts:
            yield verdict.line()
        for verdict in self.broken:
            if verdict.finding is not None:
                yield ""
                yield f"{verdict.rule} is broken: {verdict.sentence}"
                yield f"({verdict.finding.name}; {verdict.finding.operations} operations)"
                yield ""
                yield verdict.finding.script().rstrip()
        for failure in self.machines:
            yield ""
            yield failure.rstrip()
        yield from ["", *self.notes] if self.notes else []
        yield ""
        totals = [f"{len(self.of(state))} {state.value}" for state in State]
        yield f"{self.subject}: {len(self.verdicts)} rules: {', '.join(totals)}"


@cache
def rules() -> dict[str, tuple[str, str]]:
    """Return the standing and the sentence of each rule, from the promises and from the specifications."""
    found: dict[str, tuple[str, str]] = {p.rule: (p.standing, p.text) for p in PROMISES}
    for instance in REGISTRY:
        for table in instance.spec.tables():
            for item in table.values():
                rule = rule_of(item)
                found.setdefault(rule.identifier, (rule.standing, rule.sentence))
    return found


def order(rule: str) -> tuple[int, int]:
    """Return the sort key of a rule in the report."""
    family, _, number = rule.partition("-")
    return (FAMILIES.index(family) if family in FAMILIES else len(FAMILIES), int(number))
