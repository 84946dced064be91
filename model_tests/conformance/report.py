"""The report of the kit: a line for each rule, each finding with a short test, and totals.

Rules come in the order of their families.  A rule is held if programs were played that would show it broken, and did
not; any other state is given with its reason.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256

from .findings.annotations import Places, annotation, place_of
from .findings.baseline import NO_BASELINE, Baseline, KnownFinding
from .findings.files import as_json, as_junit, shown
from .findings.finding import Finding, Rejection
from .findings.sentence import sentence
from .findings.verdicts import RuleVerdict, rules
from .judge import State

__all__ = ["Report", "rules"]


@dataclass
class Report:
    """The results for a subject."""

    subject: str
    verdicts: list[RuleVerdict]
    notes: list[str] = field(default_factory=list)
    machines: list[Rejection] = field(default_factory=list)  #: the failures of state machines
    findings: list[Finding] = field(default_factory=list)
    hidden: int = 0  #: how many facts are not true, besides the findings
    unfinished: str = ""  #: why the test did not end, if it did not
    places: Places = field(default_factory=dict)  #: where the subject's classes are
    baseline: Baseline = NO_BASELINE  #: the findings that count for nothing

    def of(self, state: State) -> list[RuleVerdict]:
        """Return the rules in this state."""
        return [verdict for verdict in self.verdicts if verdict.state is state]

    @property
    def broken(self) -> list[RuleVerdict]:
        """The broken rules: those of the findings first, in their order."""
        first = [finding.rule for finding in self.findings]
        broken = self.of(State.BROKEN)
        return sorted(broken, key=lambda v: first.index(v.rule) if v.rule in first else len(first))

    @property
    def status(self) -> int:
        """The exit status: 1 if a rule is broken; else 3 if the test is unfinished; else 0."""
        accepted = all(map(self.baseline.accepts, self.known()))
        return 1 if not accepted else 3 if self.unfinished else 0

    def found(self) -> list[Finding]:
        """Return the findings, and those that are not shown."""
        hidden = [verdict.finding for verdict in self.verdicts if verdict.finding]
        return [*self.findings, *(each for each in hidden if each not in self.findings)]

    def known(self) -> list[KnownFinding]:
        """Return all that a baseline could accept."""
        found: list[Finding | Rejection] = [*self.found(), *self.machines]
        return list(dict.fromkeys(map(KnownFinding.of, found)))

    def accepts(self, found: Finding | Rejection) -> bool:
        """Return whether the baseline accepts a finding."""
        return self.baseline.accepts(KnownFinding.of(found))

    def tested(self, rules: str) -> bool:
        """Return whether these rules, with commas between them, were tested to the end."""
        exercised = {verdict.rule for verdict in self.verdicts if verdict.state is not State.ABSENT}
        return not self.unfinished and exercised.issuperset(filter(None, rules.split(", ")))

    def gone(self) -> list[KnownFinding]:
        """Return the accepted findings that were not found."""
        return self.baseline.gone(self.known(), self.tested)

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits of the report: the same subject and version have the same on each machine."""
        body = replace(self, baseline=NO_BASELINE).body(code=False)
        return sha256("\n".join(body).encode()).hexdigest()[:12]

    def text(self) -> str:
        """Return the report as text."""
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        yield from self.body()
        totals = [f"{len(self.of(state))} {state.value}" for state in State]
        yield ""
        if self.findings or self.machines:
            more = f"; short tests of the kit that also fail: {self.hidden}" if self.hidden else ""
            yield f"fix these and run again: one failure can mask another{more}"
        accepted = filter(self.baseline.accepts, self.known())
        yield from (f"accepted by the baseline: {each.line()}" for each in accepted)
        yield from (f"accepted, and no longer found: {each.line()}" for each in self.gone())
        if self.unfinished:
            yield f"unfinished: {self.unfinished}"
        yield f"{self.subject}: {len(self.verdicts)} rules: {', '.join(totals)}; digest {self.digest}"

    def body(self, code: bool = True) -> Iterator[str]:
        """Yield the lines of the rules, the findings that are not accepted, with their `code` or without, and notes."""
        for verdict in self.verdicts:
            accepted = verdict.finding and self.accepts(verdict.finding)
            yield replace(verdict, why="accepted").line() if accepted else verdict.line()
        for finding in self.new():
            yield ""
            yield from shown(finding, rules().get(finding.rule, ("", ""))[1], code)
        for failure in itertools.filterfalse(self.accepts, self.machines):
            yield ""
            yield from failure.lines()
        yield from ["", *self.notes] if self.notes else []

    def new(self) -> list[Finding]:
        """Return the findings to be shown: if a part of them is accepted, all others."""
        fresh = [finding for finding in self.findings if not self.accepts(finding)]
        return fresh if fresh == self.findings else [each for each in self.found() if not self.accepts(each)]

    def annotations(self) -> Iterator[str]:
        """Yield the lines that have GitHub show each finding at the class of the subject."""
        for finding in self.new():
            text = "\n".join(shown(finding, rules().get(finding.rule, ("", ""))[1])[1:])
            place = place_of(self.subject, self.places, finding)
            yield annotation("error", f"{sentence(finding)}: {finding.rule}", text, *place)
        for failure in itertools.filterfalse(self.accepts, self.machines):
            yield annotation("error", failure.title, failure.text, *place_of(self.subject, self.places))
        for known in self.gone():
            yield annotation("notice", "accepted, and no longer found", known.line())
        if self.unfinished:
            yield annotation("warning", "unfinished", self.unfinished)

    def results(self) -> dict[str, tuple[str, str]]:
        """Return "failure", "skipped" or "", and the text, for each rule and state machine, and the end."""
        made = {verdict.rule: self.result(verdict) for verdict in self.verdicts}
        for failure in self.machines:
            kind = "skipped" if self.accepts(failure) else "failure"
            made[f"state machine of {failure.machine}"] = kind, "\n".join(failure.lines())
        return {**made, "the end": ("failure", f"unfinished: {self.unfinished}")} if self.unfinished else made

    def result(self, verdict: RuleVerdict) -> tuple[str, str]:
        """Return "failure", "skipped" or "", and the text, for a rule."""
        machines = (failure for failure in self.machines if verdict.rule in failure.rules)
        found = verdict.finding or next(machines, None)
        if found and self.accepts(found):
            return "skipped", f"accepted: {KnownFinding.of(found).sentence}"
        if verdict.state is not State.BROKEN:
            return "skipped" if verdict.skipped() else "", verdict.skipped()
        lines = shown(found, verdict.sentence) if isinstance(found, Finding) else found.lines() if found else []
        return "failure", "\n".join(lines)

    def json(self) -> str:
        """Return the report as JSON."""
        return as_json(self.subject, self.verdicts, self.findings, self.notes, self.unfinished, self.digest)

    def junit(self) -> str:
        """Return the report as JUnit's XML."""
        return as_junit(self.subject, self.results())
