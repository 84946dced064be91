"""The kit: plays all programs on a subject, looks whether facts are true of it, and makes the report.

The subject runs in another process; this process meanwhile judges its lines.  Failing programs go to `causes.py`, which
shrinks them at the end.  The kit stops early when more programs would add nothing: if programs do not return, or very
many have failed.  Numbers decide that, and never time (`budget.py`).
"""

import gc
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from impl.explore.report.live import LiveText

from ..programs.enumeration import Program
from ..programs.releases import THIS, Release, dotted
from .attribute import among
from .budget import Budget
from .cases.alike import alike
from .cases.edges import edges
from .cases.leaks import leaks
from .cases.sources import Case, catalogue, enumeration, random
from .cases.ways import NEWER, RUNS, ways
from .causes import Causes
from .facts.fact import Fact, facts
from .findings.finding import Finding, Rejection, of_fact, with_functions
from .findings.grouping import of_each_thing, with_hidden
from .findings.verdicts import check_rules, verdicts
from .focus import Depth, Focus, advice_for, profile_for
from .judge import Judge, State
from .known_bugs import known_of_fact
from .loops.garbage import left_behind
from .loops.runtimes import REST_TURNS, absent
from .normal import EQUAL_RUNS_DIFFER, NOT_RETURNED, Line
from .process import Process
from .report import Report, rules
from .subjects.subject import SubjectError, profiled

#: The kit stops after so many programs that do not return, that take long, or that fail.
LOST_MAX: Final = 4
SLOW_MAX: Final = 8
FAILED_MAX: Final = 300
#: The things that each state machine tests.
MACHINES: Final = {
    "tasks": frozenset({"Future", "Task"}),
    "futures": frozenset({"Future", "Task"}),
    "queues": frozenset({"Queue"}),
}


@dataclass
class Played:
    """The results of a subject so far, by rule."""

    #: The number of programs that would show it broken.
    cases: Counter[str] = field(default_factory=Counter)
    #: Why a program of it was not played.
    absent: dict[str, str] = field(default_factory=dict)
    #: The issue of a known bug.
    known: dict[str, str] = field(default_factory=dict)
    #: The number of programs that the rules allow, unlike asyncio.
    timing: Counter[str] = field(default_factory=Counter)
    #: The number of programs that were left undecided.
    open: Counter[str] = field(default_factory=Counter)
    #: The number of failing programs, if it is a rule of asyncio's code.
    because: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    programs: int = 0
    #: The number of programs without stored lines.
    unstored: int = 0


class Kit:
    """One subject under test."""

    def __init__(
        self,
        process: Process,
        only: Sequence[str],
        documented: bool,
        exact: bool = False,
        budget: Budget | None = None,
        live: LiveText | None = None,
    ) -> None:
        self.process, self.budget, self.live = process, budget or Budget(), live
        profile = profile_for(process.brings, profiled(process.subject)[1], process.one)
        self.focus = Focus(process.brings, process.surface, profile, documented)
        self.judge = Judge(process.brings, process.own, self.wanted, exact, documented, profile, self.asked)
        self.causes = Causes(process, self.judge, self.focus)
        self.only, self.documented = frozenset(only), documented
        self.played = Played(absent=dict(self.focus.elsewhere))
        self.notes = [] if process.losses else advice_for(process.brings, profile, process.one)
        process.blocked = False  # or none of the programs that follow would be played
        self.untrue: list[Finding] = []  #: facts that are not true
        process.heard = self.draw

    def draw(self) -> None:
        """Show how far the test is."""
        if self.live:
            so_far = f"{self.played.programs:,} programs   {self.played.failed:,} failed"
            self.live.draw(lambda seconds: f"{so_far}   {seconds:.0f} s")

    def wanted(self, rule: str) -> bool:
        """Return whether a rule is under test: it was asked for, and is of a standing that counts."""
        return self.asked(rule) and self.counts(rule)

    def asked(self, rule: str) -> bool:
        """Return whether a rule was asked for, and is not about a class that is not there."""
        return (not self.only or rule in self.only) and rule not in self.focus.elsewhere

    def counts(self, rule: str) -> bool:
        """Return whether the standing of a rule counts."""
        return not self.documented or rules().get(rule, ("",))[0] == "documented"

    def counted(self, rule: str) -> bool:
        """Return whether a rule has a verdict: one about the subject's names, or one that was asked for."""
        shown = self.focus.whole or rule in self.played.cases or rule in self.played.absent
        about = rule in self.only or (not self.only and shown and self.focus.counts(rule))
        return about and self.counts(rule)

    def play(self, cases: Iterable[Case], depth: Depth = Depth.DEEP) -> None:
        """Play those programs of these cases that are of this depth, in order."""
        sent: list[Case] = []
        for lines in self.process.play(self.sent(cases, sent, depth)):
            self.note(sent.pop(0), lines, depth)
            if self.lost():
                return  # each of those that are sent already may take long, too

    def sent(self, cases: Iterable[Case], sent: list[Case], depth: Depth) -> Iterator[Program]:
        for case in cases:
            if self.enough():
                return
            if case.rules and not any(map(self.wanted, case.rules)):
                continue
            look = self.focus.look_at(case)
            if look.depth is not depth:
                continue
            why = (
                "it needs a clock"
                if self.process.timeless and case.timed
                else look.lacks or absent(case.program, self.process.loop_lacks, self.process.hides)
            )
            for rule in case.rules if why else ():
                self.played.absent.setdefault(rule, why)
            if not why:
                self.focus.exercised |= look.names
                sent.append(self.focus.fitted(case, look))
                yield sent[-1].program

    def lost(self) -> str:
        """Return how many programs took too long, if they are too many."""
        if (losses := self.process.losses) >= (1 if self.process.blocked else LOST_MAX):
            return f"{losses} program{'s' * (losses > 1)} did not return"
        return f"{self.process.slow} programs took long" if self.process.slow >= SLOW_MAX else ""

    def enough(self) -> bool:
        """Return whether to stop, and note why."""
        if self.played.failed >= FAILED_MAX:
            why = f"{self.played.failed} programs failed"
        elif self.budget.spent():
            why = self.budget.unfinished
        else:
            why = self.lost()
        if not why:
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
        played.unstored += case.stored is None
        verdict = self.judge.judge(case, lines)
        if verdict.state is State.ABSENT:
            for rule in case.rules:
                played.absent.setdefault(rule, verdict.why)
            return
        if verdict.state is State.BROKEN:
            if self.process.internal:
                self.process.fail()
            self.focus.mistakes.update(self.process.mistakes)
        played.cases.update(rule for rule in case.rules if rule not in self.focus.elsewhere)
        if verdict.state is State.KNOWN:
            played.known.setdefault(verdict.rule, verdict.why)
        elif verdict.state is State.TIMING:
            played.timing[verdict.rule] += 1
        elif verdict.state is State.OPEN:
            played.open[verdict.rule] += 1
            self.causes.leave(case, lines, verdict)
        elif verdict.state is State.BROKEN and depth is Depth.SHALLOW and played.failed:
            played.because[verdict.rule] += 1
        elif verdict.state is State.BROKEN:
            played.failed += depth is Depth.DEEP
            self.causes.add(case, lines, verdict)

    def all(self) -> list[Rejection]:
        """Play everything; return the failures of state machines.

        Those, and programs that are run in other ways, have asyncio's timing; they are for a subject that has it, too.

        Raises:
            SubjectError: no program uses a name of the subject.
        """
        focus, budget = self.focus, self.budget
        self.play(catalogue())
        self.facts()
        if focus.nothing(self.process.subject):  # it may bring only a way to run programs
            self.play(self.otherwise())
        if not budget.unfinished and (nothing := focus.nothing(self.process.subject)):
            raise SubjectError(nothing)
        self.play(alike(focus.brings))
        small = enumeration(self.wanted, focus.about)
        gc.freeze()  # hundreds of thousands of objects, which programs that collect garbage need not go through
        if len(small) > budget.interleavings:
            self.notes.append(f"{budget.interleavings} of {len(small)} interleavings are played (--budget)")
        self.play(small[: budget.interleavings])
        self.play(random(budget.random, focus.names, focus.about))
        self.play(catalogue(), Depth.SHALLOW)
        if not self.played.failed:
            for failed in self.causes.decided():
                self.played.failed += 1
                self.causes.add(*failed)
        if self.played.failed or self.played.timing or self.played.open:
            return []
        self.play(self.otherwise())
        self.played.failed += len(self.untrue)
        skipped = self.only or self.process.timeless or self.played.failed
        return [] if skipped else list(self.machines())

    def otherwise(self) -> Iterator[Case]:
        """Yield programs of the catalogue in other ways and with other arguments, and programs that look for leaks.

        Only those that asyncio plays as the reference does: the others are about its known bugs.
        """
        for rule, since in NEWER.items():
            if since > THIS:
                self.played.absent.setdefault(rule, f"since Python {dotted(since)}")
        runs = self.focus.whole or not RUNS.isdisjoint(self.focus.brings)
        for case in catalogue():
            if not all(map(self.counts, case.rules)):
                continue  # it may fail by a rule that does not count
            if runs or self.focus.look_at(case).depth is Depth.DEEP:
                found = [*ways([case], self.playable), *edges([case], self.playable)]
                if found and self.judge.usual(case):
                    yield from found
        yield from leaks(self.budget.leaks, self.focus.about, self.playable)

    def asks(self, fact: Fact) -> bool:
        """Return whether a fact is under test: by its first rule, as the others are broken only with that."""
        return any(map(self.wanted, fact.rules)) and (
            not self.documented or (fact.documented and self.wanted(fact.rules[0]))
        )

    def facts(self) -> None:
        """Find the facts about the subject's names that are not true."""
        if not self.process.asyncios:
            return
        for fact in facts().values():
            if fact.since > THIS or not (self.asks(fact) and self.focus.tests(fact)):
                continue
            if fact.clock and self.process.timeless:
                continue
            lacks = [name for name in fact.names if self.process.surface.incomplete(name, fact.takes)]
            if lacks:
                needs = dict.fromkeys(fact.rules, f"it needs all of {lacks[0]}")
                self.played.absent = needs | self.played.absent
            elif self.enough():
                return
            else:
                self.look_up(fact)

    def look_up(self, fact: Fact) -> None:
        """Find whether a fact is true, and keep it if not; a known bug of asyncio's is no fault of the subject."""
        seen = self.process.one(fact.program)
        self.focus.exercised.update(fact.names)
        self.played.cases.update(fact.rules)
        self.played.programs += 1
        rule = among(list(filter(self.wanted, fact.rules)), self.judge.brings)
        if seen != fact.expected and (bug := known_of_fact(fact.text, self.judge.own)):
            self.played.known.setdefault(rule, bug.issue)
        elif seen != fact.expected:
            self.untrue.append(of_fact(fact, seen, self.process.subject, rule, self.judge.brings))

    def playable(self, rules: Collection[str], since: Release) -> bool:
        """Return whether this version has the names of a program, and a rule of it is wanted."""
        return since <= THIS and any(map(self.wanted, rules))

    def machines(self) -> Iterator[Rejection]:
        """Run the state machines of the things that the subject brings; yield their failures."""
        for name, about in MACHINES.items():
            if self.budget.spent() or (self.process.brings and about.isdisjoint(self.process.brings)):
                continue
            if lacking := list(filter(self.process.surface.incomplete, sorted(about))):
                self.notes.append(f"the state machine of {name} was not run: it needs all of {lacking[0]}")
                continue
            failure = self.process.machine(name, self.budget.examples)
            if failure and failure.text == NOT_RETURNED:
                self.budget.unfinished = f"the state machine of {name} took too long"
            elif failure and failure.text == EQUAL_RUNS_DIFFER:
                self.notes.append(
                    f"the state machine of {name} is not judged: {EQUAL_RUNS_DIFFER}, as its objects share a state"
                )
            elif failure:
                yield failure

    def all_notes(self) -> list[str]:
        """Return the notes of the report."""
        played = self.played
        notes = [*self.notes, *self.focus.notes(played.because)]
        if undecided := played.open.total():
            why = "their output differs from the reference, and not every order that the rules allow was searched"
            notes.append(f"{undecided} programs are inconclusive: {why}")
        if self.process.of_impl and played.unstored:
            notes.append(
                f"{played.unstored} programs compare impl's code with itself: their expected lines are not stored"
            )
        if self.process.apart:
            notes.append("some programs were played with asyncio's own code as it is: it would call itself there")
        if self.process.timeless:
            notes.append(
                f"its clock cannot be replaced: a program counts as idle after {REST_TURNS} turns without progress"
            )
        return notes

    def report(self, machines: list[Rejection]) -> Report:
        """Shrink the programs that failed, and return the report."""
        played = self.played
        findings = self.causes.findings() or of_each_thing(self.untrue)
        found = with_functions(findings, [*self.untrue, *self.causes.every])
        found = with_hidden(found, hidden := [each for each in self.untrue if each not in found])
        every: list[Finding | Rejection] = [*found, *machines]
        broken = {rule for failed in every for rule in failed.rules}
        counted = {rule for rule in rules() if rule in broken or self.counted(rule)}
        by_rule = played.cases, played.absent, played.known, played.timing, played.open
        return Report(
            self.process.subject,
            verdicts(counted.__contains__, self.only, found, machines, *by_rule),
            self.all_notes(),
            machines,
            found,
            len(hidden),
            self.budget.unfinished,
            self.process.places,
        )


def run(
    subject: str,
    only: Sequence[str] = (),
    documented: bool = False,
    exact: bool = False,
    budget: Budget | None = None,
    live: LiveText | None = None,
) -> Report:
    """Test a subject; return the report.  With `exact`, a difference in timing counts as broken.

    `live` shows how many programs were played.

    Ctrl-C ends the test: the report is unfinished, and its programs are not shrunk.

    Raises:
        SubjectError: it cannot be loaded.
        UsageError: `only` has an unknown rule.
    """
    check_rules(only)
    with Process(subject) as process:
        return report_of(process, only, documented, exact, budget, live)


def report_of(
    process: Process,
    only: Sequence[str] = (),
    documented: bool = False,
    exact: bool = False,
    budget: Budget | None = None,
    live: LiveText | None = None,
) -> Report:
    """Test the subject of a process, as `run` does."""
    with left_behind():
        kit = Kit(process, only, documented, exact, budget, live)
        machines: list[Rejection] = []
        try:
            machines = kit.all()
        except KeyboardInterrupt:
            kit.budget.unfinished = f"interrupted after {kit.played.programs} programs"
            kit.causes.attempts = 0
            process.close()  # it has programs with answers that are of no use any more
        return kit.report(machines)
