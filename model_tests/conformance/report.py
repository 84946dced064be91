"""The report of the kit: a line for each rule, each finding with a short test, and totals.

Rules come in the order of their families.  A rule is held if programs were played that would show it broken, and did
not; any other state is given with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from .findings.finding import Finding, Rejection
from .findings.verdicts import Verdict, rules
from .findings.written import as_json, as_junit, shown
from .judge import State

__all__ = ["Report", "rules"]


@dataclass
class Report:
    """The results for a subject."""

    subject: str
    verdicts: list[Verdict]
    notes: list[str] = field(default_factory=list)
    machines: list[Rejection] = field(default_factory=list)  #: what state machines found
    findings: list[Finding] = field(default_factory=list)
    hidden: int = 0  #: how many facts are not true, besides the findings
    unfinished: str = ""  #: why the test did not end, if it did not

    def of(self, state: State) -> list[Verdict]:
        """Return the rules in this state."""
        return [verdict for verdict in self.verdicts if verdict.state is state]

    @property
    def broken(self) -> list[Verdict]:
        """The broken rules: those of the findings first, in their order."""
        first = [finding.rule for finding in self.findings]
        broken = self.of(State.BROKEN)
        return sorted(broken, key=lambda v: first.index(v.rule) if v.rule in first else len(first))

    @property
    def status(self) -> int:
        """The exit status: 1 if a rule is broken; else 3 if the test is unfinished; else 0."""
        return 1 if self.broken or self.machines else 3 if self.unfinished else 0

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits of the report: the same subject and version have the same on each machine."""
        return sha256("\n".join(self.body()).encode()).hexdigest()[:12]

    def text(self) -> str:
        """Return the report as text."""
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        yield from self.body()
        totals = [f"{len(self.of(state))} {state.value}" for state in State]
        yield ""
        if self.findings or self.machines:
            more = f"; short tests of the kit that fail, too: {self.hidden}" if self.hidden else ""
            yield f"mend what is shown and run again: one finding can hide another{more}"
        if self.unfinished:
            yield f"unfinished: {self.unfinished}"
        yield f"{self.subject}: {len(self.verdicts)} rules: {', '.join(totals)}; digest {self.digest}"

    def body(self) -> Iterator[str]:
        """Yield the lines of the rules, the findings and the notes."""
        for verdict in self.verdicts:
            yield verdict.line()
        for finding in self.findings:
            yield ""
            yield from shown(finding, rules().get(finding.rule, ("", ""))[1])
        for failure in self.machines:
            yield ""
            yield from failure.lines()
        yield from ["", *self.notes] if self.notes else []

    def json(self) -> str:
        """Return the report as JSON."""
        return as_json(self.subject, self.verdicts, self.findings, self.notes, self.unfinished, self.digest)

    def junit(self) -> str:
        """Return the report as JUnit's XML."""
        return as_junit(self.subject, self.verdicts, self.machines)
