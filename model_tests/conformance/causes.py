"""The findings: the failing programs of a subject, shrunk, and the verdicts of all rules.

`Causes.add` keeps the smallest failing program of each broken rule.  At the end `findings` shrinks each of them, which
plays it again and again on the subject, up to a number of attempts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from spec.promises import PROMISES

from ..programs.enumeration import Program
from ..programs.shrink import shrink
from .attribute import operations
from .judge import Judge, Judgement, State
from .normal import LEFT, Line, normal
from .process import Process
from .report import Finding, Verdict, order, rules
from .sources import Case

#: How many smaller programs are played in all to shrink the findings.
ATTEMPTS: Final = 2000
#: How many failing random programs are shrunk.
RANDOM_MAX: Final = 3

#: A case that failed, with the lines that were seen.
Failed = tuple[Case, list[Line]]


class Causes:
    """The failing programs of one subject."""

    def __init__(self, process: Process, judge: Judge) -> None:
        self.process, self.judge = process, judge
        self.broken: dict[str, Failed] = {}  #: rule -> its smallest failing program
        self.random: list[Failed] = []

    def add(self, case: Case, lines: list[Line], judgement: Judgement) -> None:
        """Keep a failing program: random ones as they are, of the others the smallest of each broken rule."""
        if not case.rules:
            self.random.append((case, lines))
            return
        before = self.broken.get(judgement.rule)
        if before is None or operations(case.program) < operations(before[0].program):
            self.broken[judgement.rule] = (case, lines)

    def findings(self) -> dict[str, Finding]:
        """Return the smallest finding of each broken rule; random programs count only if no other program fails."""
        found: dict[str, Finding] = {}
        first = sorted(self.broken.values(), key=lambda failed: operations(failed[0].program))
        failing = first or self.random[:RANDOM_MAX]
        for case, lines in failing:
            rule, finding = self.shrink(case, lines, ATTEMPTS // len(failing))
            if self.judge.wanted(rule) and (rule not in found or finding.operations < found[rule].operations):
                found[rule] = finding
        return found

    def shrink(self, case: Case, first: list[Line], attempts: int = ATTEMPTS) -> tuple[str, Finding]:
        """Shrink a failing program; return the rule that the result breaks, and the finding."""
        left = attempts

        def again(program: Program) -> tuple[Case, list[Line], Judgement]:
            smaller = Case(case.name, program, case.rules, case.kinds, case.since)
            lines = self.process.one(program)
            return smaller, lines, self.judge.judge(smaller, lines)

        def fails(program: Program) -> bool:
            nonlocal left
            left -= 1
            if left < 0:
                return False
            try:
                return again(program)[2].state is State.BROKEN
            except Exception:  # a part of a program need not be a program
                return False

        if not returns(first):  # to play it often would take too long
            rule = self.judge.rule_of(case, "stuck")
            return rule, Finding(case.name, case.program, case.expected, first, self.process.subject)
        program = shrink(case.program, fails)
        smaller, lines, verdict = again(program)
        if verdict.state is not State.BROKEN:  # the subject is not deterministic
            rule = self.judge.rule_of(case, "value")
            return rule, Finding(case.name, case.program, case.expected, first, self.process.subject)
        keep = normal(program, smaller.expected, case.rules), normal(program, lines, case.rules)
        return verdict.rule, Finding(case.name, program, *keep, self.process.subject)


def returns(lines: list[Line]) -> bool:
    """Return whether a program returned, so that the process did not end."""
    return bool(lines[-1][1] != "loop" or lines[-1][1:3] == LEFT)


def verdicts(
    wanted: Callable[[str], bool],
    only: Collection[str],
    found: Mapping[str, Finding],
    cases: Mapping[str, int],
    absent: Mapping[str, str],
    known: Mapping[str, str],
    timing: Mapping[str, int],
) -> list[Verdict]:
    """Return the verdicts of all rules under test.

    Parameters:
        wanted: whether a rule is under test; `only` has those that were named.
        found: the finding of each broken rule.
        cases: by rule, the number of programs that would show it broken.
        absent: by rule, why a program of it was not played.
        known: by rule, the issue of asyncio's known bug.
        timing: by rule, the number of programs that differ from asyncio as the rules allow.
    """
    named = {promise.rule for promise in PROMISES if promise.where == "names"}
    met = {*named, *only, *cases, *absent, *found}
    every = {rule for rule in met if wanted(rule)}
    made = []
    for rule in sorted(every, key=order):
        standing, sentence = rules().get(rule, ("", ""))
        verdict = Verdict(rule, standing, sentence, cases=cases.get(rule, 0))
        if rule in found:
            verdict.state, verdict.finding = State.BROKEN, found[rule]
        elif rule in known:
            verdict.state, verdict.why = State.KNOWN, known[rule]
        elif rule in timing:
            verdict.state, verdict.why = State.TIMING, f"in {timing[rule]} programs"
        elif verdict.cases:
            verdict.state = State.HELD
        else:
            verdict.why = absent.get(rule, "no program was played that would show it")
        made.append(verdict)
    return made
