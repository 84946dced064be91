"""The kit: plays everything on a subject, and makes the report.

Theory of operation.  The subject lives in another process; this one computes meanwhile what the reference shows.  Of
each broken rule the smallest failing program is kept, and shrunk at the end, played again and again on the subject.
Playing stops early where more would tell nothing: when programs do not return, or very many have failed.
"""

from __future__ import annotations

import gc
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from impl.options import UsageError
from spec.promises import PROMISES

from ..programs.shrink import shrink
from .attribute import operations
from .judge import Judge, Judgement, State
from .normal import LEFT, normal
from .process import Process
from .report import Finding, Report, Verdict, order, rules
from .sources import RUNS, Scenario, catalogue, enumeration, random
from .subject import REST_TURNS

# `Any` in this file: programs and lines are JSON.
Program = dict[str, Any]
Line = list[Any]

#: So many programs that do not return, or fail, are enough.
LOST_MAX: Final = 4
FAILED_MAX: Final = 300
#: Seconds on the wall clock after which no more programs are played, none of the catalogue, no machine is begun; and
#: for so many all shrinking goes on.
SECONDS: Final = 32.0
CATALOGUE_SECONDS: Final = 45.0
MACHINE_SECONDS: Final = 25.0
SHRINK_SECONDS: Final = 15.0
#: So much of the small scope is played before the random programs.
FIRST: Final = 6000
#: Examples of each state machine.
EXAMPLES: Final = 20
#: What each state machine is about.
MACHINES: Final = {"tasks": frozenset({"Future", "Task"}), "queues": frozenset({"Queue"})}


@dataclass
class Played:
    """What was seen of a subject so far."""

    scenarios: dict[str, int] = field(default_factory=dict)  #: rule -> programs that would show it broken
    absent: dict[str, str] = field(default_factory=dict)  #: rule -> why a program was not played
    known: dict[str, str] = field(default_factory=dict)  #: rule -> issue
    broken: dict[str, tuple[Scenario, list[Line]]] = field(default_factory=dict)  #: rule -> the smallest
    random: list[tuple[Scenario, list[Line]]] = field(default_factory=list)
    failed: int = 0
    programs: int = 0


class Kit:
    """One subject under test."""

    def __init__(self, process: Process, only: Sequence[str], documented: bool) -> None:
        self.process = process
        self.judge = Judge(process.brings, process.own, self.wanted)
        self.only, self.documented = frozenset(only), documented
        self.played = Played()
        self.end = time.monotonic() + CATALOGUE_SECONDS
        self.notes: list[str] = []

    def wanted(self, rule: str) -> bool:
        """Whether that rule was asked for."""
        standing = rules().get(rule, ("", ""))[0]
        return (not self.only or rule in self.only) and (not self.documented or standing == "documented")

    def play(self, scenarios: Iterable[Scenario]) -> None:
        """Play them, in turn."""
        sent: list[Scenario] = []
        for lines in self.process.play(self.sent(scenarios, sent)):
            self.note(sent.pop(0), lines)

    def sent(self, scenarios: Iterable[Scenario], sent: list[Scenario]) -> Iterator[Program]:
        for scenario in scenarios:
            if self.enough():
                return
            if self.process.timeless and scenario.timed:
                for rule in scenario.rules:
                    self.played.absent.setdefault(rule, "it needs a clock")
            elif not scenario.rules or any(map(self.wanted, scenario.rules)):
                sent.append(scenario)
                yield scenario.program

    def enough(self) -> bool:
        """Whether more would tell nothing."""
        if self.process.losses >= LOST_MAX:
            why = f"{self.process.losses} programs did not return"
        elif self.played.failed >= FAILED_MAX:
            why = f"{self.played.failed} programs failed"
        elif time.monotonic() > self.end:
            why = "no more time"
        else:
            return False
        note = f"stopped after {self.played.programs} programs: {why}"
        if not any(line.startswith("stopped") for line in self.notes):
            self.notes.append(note)
        return True

    def note(self, scenario: Scenario, lines: list[Line]) -> None:
        """Judge what is seen of a program, and remember it."""
        played = self.played
        played.programs += 1
        verdict = self.judge.judge(scenario, lines)
        if verdict.state is State.ABSENT:
            for rule in scenario.rules:
                played.absent.setdefault(rule, verdict.why)
            return
        for rule in scenario.rules:
            played.scenarios[rule] = played.scenarios.get(rule, 0) + 1
        if verdict.state is State.KNOWN:
            played.known.setdefault(verdict.rule, verdict.why)
        elif verdict.state is State.BROKEN:
            played.failed += 1
            if not scenario.rules:
                played.random.append((scenario, lines))
            else:
                self.broken(verdict.rule, scenario, lines)

    def broken(self, rule: str, scenario: Scenario, lines: list[Line]) -> None:
        """Keep the smallest."""
        before = self.played.broken.get(rule)
        if before is None or operations(scenario.program) < operations(before[0].program):
            self.played.broken[rule] = (scenario, lines)

    def machines(self) -> list[str]:
        """What the state machines say against the subject; one that is about nothing it brings is not run."""
        said = []
        for name, about in MACHINES.items():
            if self.process.brings and about.isdisjoint(self.process.brings):
                continue
            failure = self.process.machine(name, EXAMPLES)
            if failure == "does not return":
                self.notes.append(f"the state machine of {name} was given up: it took too long")
            elif failure:
                said.append(f"the state machine of {name} fails:\n{failure}")
        return said

    # --- in the end ------------------------------------------------------------------------------------------

    def shrink(self, scenario: Scenario, first: list[Line]) -> tuple[str, Finding]:
        """The smallest program that still fails on the way of that one, and the rule that it breaks."""
        end = time.monotonic() + SHRINK_SECONDS / (len(self.played.broken) + 1)

        def again(program: Program) -> tuple[Scenario, list[Line], Judgement]:
            smaller = Scenario(scenario.name, program, scenario.rules, scenario.kinds, scenario.since)
            lines = self.process.one(program)
            return smaller, lines, self.judge.judge(smaller, lines)

        def fails(program: Program) -> bool:
            if time.monotonic() > end:
                return False
            try:
                return again(program)[2].state is State.BROKEN
            except Exception:  # what is left of a program may be none
                return False

        if not self.returns(first):  # again and again would take too long
            rule = self.judge.rule_of(scenario, "stuck")
            return rule, Finding(
                scenario.name, scenario.program, scenario.expected, first, self.process.subject
            )
        program = shrink(scenario.program, fails)
        smaller, lines, verdict = again(program)
        if verdict.state is not State.BROKEN:  # it is not the same every time
            rule = self.judge.rule_of(scenario, "value")
            return rule, Finding(
                scenario.name, scenario.program, scenario.expected, first, self.process.subject
            )
        keep = normal(program, smaller.expected, scenario.rules), normal(program, lines, scenario.rules)
        return verdict.rule, Finding(scenario.name, program, *keep, self.process.subject)

    def findings(self) -> dict[str, Finding]:
        """The broken rules, each with its smallest finding; random programs tell only what nothing else does."""
        played = self.played
        found: dict[str, Finding] = {}
        first = sorted(played.broken.values(), key=lambda failed: operations(failed[0].program))
        for scenario, lines in first or played.random[:3]:
            rule, finding = self.shrink(scenario, lines)
            if self.wanted(rule) and (rule not in found or finding.operations < found[rule].operations):
                found[rule] = finding
        return found

    @staticmethod
    def returns(lines: list[Line]) -> bool:
        """Whether what was seen of a program is what it noted, and not the end of the process."""
        return bool(lines[-1][1] != "loop" or lines[-1][1:3] == LEFT)

    def verdicts(self, found: dict[str, Finding]) -> list[Verdict]:
        """All rules that were asked for."""
        played = self.played
        named = {promise.rule for promise in PROMISES if promise.where == "names"}
        met = {*named, *self.only, *played.scenarios, *played.absent, *found}
        every = {rule for rule in met if self.wanted(rule)}
        verdicts = []
        for rule in sorted(every, key=order):
            standing, sentence = rules().get(rule, ("", ""))
            verdict = Verdict(rule, standing, sentence, scenarios=played.scenarios.get(rule, 0))
            if rule in found:
                verdict.state, verdict.finding = State.BROKEN, found[rule]
            elif rule in played.known:
                verdict.state, verdict.why = State.KNOWN, played.known[rule]
            elif verdict.scenarios:
                verdict.state = State.HELD
            else:
                verdict.why = played.absent.get(rule, "no program was played that would show it")
            verdicts.append(verdict)
        return verdicts


@contextmanager
def left_behind() -> Iterator[None]:
    """What programs leave behind, coroutines above all, goes without a word, and before anybody else can hear of it.

    Programs collect garbage, too: what was there before them is not looked at each time.
    """
    gc.collect()
    gc.freeze()
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
            gc.collect()
    finally:
        sys.unraisablehook = hook
        gc.unfreeze()


def run(subject: str, only: Sequence[str] = (), documented: bool = False, runs: int = RUNS) -> Report:
    """Put a subject to the test.

    Raises:
        SubjectError: it cannot be loaded.
        UsageError: a rule of `only` is unknown.
    """
    if unknown := [rule for rule in only if rule not in rules()]:
        raise UsageError(f"unknown rule {unknown[0]}")
    with Process(subject) as process, left_behind():
        kit = Kit(process, only, documented)
        began = time.monotonic()
        kit.play(catalogue())
        kit.end = began + SECONDS
        small = enumeration(kit.wanted)
        for source in (islice(small, FIRST), random(runs), small):
            kit.play(source)
        late = time.monotonic() > began + MACHINE_SECONDS
        machines = [] if only or process.timeless or kit.played.failed or late else kit.machines()
        found = kit.findings()
        notes = list(kit.notes)
        if process.timeless:
            notes.append(f"its clock cannot be replaced: at rest is who does nothing in {REST_TURNS} turns")
        return Report(subject, kit.verdicts(found), notes, machines)
