"""The verdicts: the state of each rule, in the order of their families.

A rule is held if programs were played that would show it broken, and did not; any other state has its reason.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from impl.commands.options import UsageError
from spec.kit.rules import rule_of
from spec.promises import PROMISES
from spec.specifications import SPECIFICATIONS

from ..judge import State
from .finding import Finding, Rejection

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
    *("TIMEOUT", "WAITFOR", "GATHER", "WAIT", "ASDONE", "GROUP", "ENSURE", "WRAP", "LOOP", "RUN", "LEAK"),
)


#: The rules that the documentation of a name promises.
NAMED: Final = frozenset(promise.rule for promise in PROMISES if promise.where == "names")


@dataclass
class RuleVerdict:
    """The state of a rule."""

    rule: str
    standing: str
    sentence: str
    state: State = State.ABSENT
    why: str = ""
    cases: int = 0
    finding: Finding | None = None
    because: str = ""  #: the rule because of which it breaks, in asyncio's own code

    def told(self) -> str:
        """Return the state and the reason."""
        if self.because:
            return f"because of {self.because}"
        return f"{self.state.value}: {self.why}" if self.why else self.state.value

    def skipped(self) -> str:
        """Return why the rule counts as neither kept nor broken, or ""."""
        return self.told() if self.state in (State.KNOWN, State.OPEN, State.ABSENT) else ""

    def line(self) -> str:
        """Return the line of the report."""
        return f"{self.rule:<11}{self.standing:<12}{self.cases or '-':>5} {self.told():<16}  {self.sentence}".rstrip()


@cache
def rules() -> dict[str, tuple[str, str]]:
    """Return the standing and the sentence of each rule, from the promises and from the specifications."""
    found: dict[str, tuple[str, str]] = {p.rule: (p.standing, p.text) for p in PROMISES}
    for spec in SPECIFICATIONS:
        for table in spec.tables():
            for item in table.values():
                if item.rule not in found:  # the models of one specification share its rules
                    rule = rule_of(item)
                    found[rule.identifier] = (rule.standing, rule.sentence)
    return found


def check_rules(names: Iterable[str]) -> None:
    """Raise UsageError if one of these is no rule."""
    if unknown := [rule for rule in names if rule not in rules()]:
        raise UsageError(f"unknown rule {unknown[0]}")


def order(rule: str) -> tuple[int, int]:
    """Return the sort key of a rule in the report."""
    family, _, number = rule.partition("-")
    return (FAMILIES.index(family) if family in FAMILIES else len(FAMILIES), int(number))


def in_programs(number: int) -> str:
    """Return the number of programs in words."""
    return f"in {number} program{'s' * (number > 1)}"


def verdicts(
    wanted: Callable[[str], bool],
    only: Collection[str],
    found: Sequence[Finding],
    rejected: Sequence[Rejection],
    cases: Mapping[str, int],
    absent: Mapping[str, str],
    known: Mapping[str, str],
    timing: Mapping[str, int],
    undecided: Mapping[str, int],
) -> list[RuleVerdict]:
    """Return the verdicts of all rules under test.

    Parameters:
        wanted: whether a rule is under test; `only` has those that were named.
        found: the findings; `rejected` are those of state machines.
        cases: by rule, the number of programs that would show it broken.
        absent: by rule, why a program of it was not played.
        known: by rule, the issue of asyncio's known bug.
        timing: by rule, the number of programs that differ from asyncio as the rules allow.
        undecided: by rule, the number of programs that differ, perhaps as the rules allow.
    """
    broken = {each.rule: each for each in reversed(found)}
    also = {rule: each.rule for each in reversed(found) for rule in each.also}
    because = {rule: each.rule for each in reversed(found) for rule in each.because}
    machines = {rule: each.title for each in reversed(rejected) for rule in each.rules}
    met = {*NAMED, *only, *cases, *absent, *broken, *also, *machines}
    every = {rule for rule in met if wanted(rule)}
    made = []
    for rule in sorted(every, key=order):
        standing, sentence = rules().get(rule, ("", ""))
        verdict = RuleVerdict(rule, standing, sentence, cases=cases.get(rule, 0))
        if rule in broken:
            verdict.state, verdict.finding = State.BROKEN, broken[rule]
            if (fact := broken[rule].fact) and not fact.documented:
                verdict.standing = "settled"
        elif rule in machines:
            verdict.state, verdict.why = State.BROKEN, machines[rule]
        elif rule in also:
            verdict.state, verdict.why = State.OPEN, f"fails with {also[rule]}"
        elif rule in because:
            verdict.because = because[rule]
        elif rule in known:
            verdict.state, verdict.why = State.KNOWN, known[rule]
        elif rule in timing:
            verdict.state, verdict.why = State.TIMING, in_programs(timing[rule])
        elif rule in undecided:
            verdict.state, verdict.why = State.OPEN, in_programs(undecided[rule])
        elif verdict.cases:
            verdict.state = State.HELD
        else:
            verdict.why = absent.get(rule, "no program was played that would show it")
        made.append(verdict)
    return made
