"""The kit: plays all programs on a subject, and makes the report.

The subject runs in another process; this process meanwhile computes the lines of impl.  Failing programs go to
`causes.py`, which shrinks them at the end.  The kit stops early when more programs would add nothing: if programs do
not return, or very many have failed.
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
from typing import Final

from impl.options import UsageError
from impl.sim.run import frozen

from ..programs.enumeration import Program
from .causes import Causes
from .findings.verdicts import verdicts
from .focus import Depth, Focus, profile_for
from .judge import Judge, State
from .normal import Line
from .process import Process
from .report import Report, rules
from .sources import RUNS, Case, catalogue, enumeration, random
from .subject import REST_TURNS, SubjectError, profiled

#: The kit stops after so many programs that do not return, or that fail.
LOST_MAX: Final = 4
FAILED_MAX: Final = 300
#: Seconds on the wall clock: until no more programs are played, or none of the catalogue; until no state machine is
#: started.
SECONDS: Final = 32.0
CATALOGUE_SECONDS: Final = 45.0
MACHINE_SECONDS: Final = 25.0
#: How many programs of the enumeration are played before the random programs.
FIRST: Final = 6000
#: The number of examples of each state machine.
EXAMPLES: Final = 20
#: The things that each state machine tests.
MACHINES: Final = {
    "tasks": frozenset({"Future", "Task"}),
    "futures": frozenset({"Future", "Task"}),
    "queues": frozenset({"Queue"}),
}


@dataclass
class Played:
    """The results of a subject so far."""

    cases: dict[str, int] = field(
        default_factory=dict
    )  #: rule -> number of programs that would show it broken
    absent: dict[str, str] = field(default_factory=dict)  #: rule -> why a program of it was not played
    known: dict[str, str] = field(default_factory=dict)  #: rule -> issue
    timing: dict[str, int] = field(
        default_factory=dict
    )  #: rule -> programs that the rules allow, unlike asyncio
    because: dict[str, int] = field(default_factory=dict)  #: rule of asyncio's code -> failing programs
    failed: int = 0
    programs: int = 0


class Kit:
    """One subject under test."""

    def __init__(self, process: Process, only: Sequence[str], documented: bool, exact: bool = False) -> None:
        self.process = process
        profile = profile_for(process.brings, profiled(process.subject)[1], process.one)
        self.focus = Focus(process.brings, process.surface, profile)
        self.judge = Judge(process.brings, process.own, self.wanted, exact)
        self.causes = Causes(process, self.judge)
        self.only, self.documented = frozenset(only), documented
        self.played = Played()
        self.end = time.monotonic() + CATALOGUE_SECONDS
        self.notes: list[str] = []

    def wanted(self, rule: str) -> bool:
        """Return whether a rule is under test."""
        standing = rules().get(rule, ("", ""))[0]
        return (not self.only or rule in self.only) and (not self.documented or standing == "documented")

    def counted(self, rule: str) -> bool:
        """Return whether a rule has a verdict: one about the subject's names, or one that was asked for."""
        shown = self.focus.whole or rule in self.played.cases or rule in self.played.absent
        return self.wanted(rule) and (rule in self.only or (shown and self.focus.counts(rule)))

    def play(self, cases: Iterable[Case], depth: Depth = Depth.DEEP) -> None:
        """Play those programs of these cases that are of this depth, in order."""
        sent: list[Case] = []
        for lines in self.process.play(self.sent(cases, sent, depth)):
            self.note(sent.pop(0), lines, depth)

    def sent(self, cases: Iterable[Case], sent: list[Case], depth: Depth) -> Iterator[Program]:
        for case in cases:
            if self.enough():
                return
            if case.rules and not any(map(self.wanted, case.rules)):
                continue
            look = self.focus.look(case.program)
            if look.depth is not depth:
                continue
            why = "it needs a clock" if self.process.timeless and case.timed else look.lacks
            for rule in case.rules if why else ():
                self.played.absent.setdefault(rule, why)
            if not why:
                self.focus.exercised |= look.names
                sent.append(self.focus.fitted(case, look))
                yield sent[-1].program

    def enough(self) -> bool:
        """Return whether to stop, and note why."""
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

    def note(self, case: Case, lines: list[Line], depth: Depth = Depth.DEEP) -> None:
        """Judge the lines of a program, and record the result.

        A shallow program that fails after a deep one is no finding of its own.
        """
        played = self.played
        played.programs += 1
        verdict = self.judge.judge(case, lines)
        if verdict.state is State.ABSENT:
            for rule in case.rules:
                played.absent.setdefault(rule, verdict.why)
            return
        if verdict.state is State.BROKEN:
            self.focus.mistakes.update(self.process.mistakes)
        for rule in case.rules:
            played.cases[rule] = played.cases.get(rule, 0) + 1
        if verdict.state is State.KNOWN:
            played.known.setdefault(verdict.rule, verdict.why)
        elif verdict.state is State.TIMING:
            played.timing[verdict.rule] = played.timing.get(verdict.rule, 0) + 1
        elif verdict.state is State.BROKEN and depth is Depth.SHALLOW and played.failed:
            played.because[verdict.rule] = played.because.get(verdict.rule, 0) + 1
        elif verdict.state is State.BROKEN:
            played.failed += depth is Depth.DEEP
            self.causes.add(case, lines, verdict)

    def machines(self) -> list[str]:
        """Run the state machines of the things that the subject brings; return their failures."""
        failures = []
        for name, about in MACHINES.items():
            if self.process.brings and about.isdisjoint(self.process.brings):
                continue
            if lacking := list(filter(self.process.surface.incomplete, sorted(about))):
                self.notes.append(f"the state machine of {name} was not run: it needs all of {lacking[0]}")
                continue
            failure = self.process.machine(name, EXAMPLES)
            if failure == "does not return":
                self.notes.append(f"the state machine of {name} was given up: it took too long")
            elif failure:
                failures.append(f"the state machine of {name} fails:\n{failure}")
        return failures


@contextmanager
def left_behind() -> Iterator[None]:
    """Collect what programs leave behind, coroutines above all, without warnings, and before any other code can see
    it.

    As programs collect garbage too, objects that exist already are frozen meanwhile.
    """
    gc.collect()
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with frozen(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
            gc.collect()
    finally:
        sys.unraisablehook = hook


def run(
    subject: str,
    only: Sequence[str] = (),
    documented: bool = False,
    runs: int = RUNS,
    exact: bool = False,
) -> Report:
    """Test a subject; return the report.  With `exact`, a difference in timing counts as broken.

    Raises:
        SubjectError: it cannot be loaded.
        UsageError: `only` has an unknown rule.
    """
    if unknown := [rule for rule in only if rule not in rules()]:
        raise UsageError(f"unknown rule {unknown[0]}")
    with Process(subject) as process, left_behind():
        kit = Kit(process, only, documented, exact)
        began = time.monotonic()
        kit.play(catalogue())
        kit.end = began + SECONDS
        focus = kit.focus
        if nothing := focus.nothing(subject):
            raise SubjectError(nothing)
        small = enumeration(kit.wanted, focus.about)
        for source in (islice(small, FIRST), random(runs, focus.names, focus.about), small):
            kit.play(source)
        kit.play(catalogue(), Depth.SHALLOW)
        late = time.monotonic() > began + MACHINE_SECONDS
        machines = [] if only or process.timeless or kit.played.failed or late else kit.machines()
        found = kit.causes.findings()
        notes = [*kit.notes, *focus.notes(kit.played.because)]
        if kit.judge.undecided:
            notes.append(f"{kit.judge.undecided} programs are not judged: too many runs of them are right")
        if process.timeless:
            notes.append(
                f"its clock cannot be replaced: a program counts as idle after {REST_TURNS} turns without progress"
            )
        played = kit.played
        broken = {rule for finding in found for rule in (finding.rule, *finding.also)}
        counted = {rule for rule in rules() if rule in broken or kit.counted(rule)}
        all_rules = verdicts(
            counted.__contains__, only, found, played.cases, played.absent, played.known, played.timing
        )
        return Report(subject, all_rules, notes, machines, found)
