"""Column kit: a program of the conformance kit, on a namespace that has the mutant, breaks a rule.

`loopspec conform FILE.py:CLASS` plays in a process of its own, for code that may never return.  Mutants return, so
here the same programs are played in this process.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

from ...conformance.cases.alike import alike
from ...conformance.cases.sources import Case, catalogue, enumeration, random
from ...conformance.causes import OPEN_RUNS
from ...conformance.judge import Judge, State
from ...conformance.kit import Kit
from ...conformance.loops.garbage import left_behind
from ...conformance.normal import Line, played
from ...conformance.process import Process
from ...conformance.report import Report
from ...conformance.stepping import Stepping
from ...conformance.subjects.surface import Surface
from ...programs.enumeration import Program
from ...programs.runtimes import Ours
from ..all_mutants import BY_NAME
from ..mutant import Mutant

#: A finding, as JSON.
Found = dict[str, Any]
RANDOM_RUNS: Final = 100
#: Names that the kit's programs do not use.
ELSEWHERE: Final = frozenset({"Stream", "Conn", "Frontier", "Crawler"})


class Here(Process):
    """Plays programs on a mutant in this process."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant, self.subject = mutant, mutant.name
        self.brings = self.own = [mutant.replaces]
        self.timeless = self.asyncios = self.of_impl = self.hides = False
        self.blocked = self.apart = False
        self.loop_lacks: list[str] = []
        self.surface, self.mistakes, self.internal = Surface(), [], ""
        self.losses = self.slow = 0
        self.places = {}

    def play(self, programs: Iterable[Program]) -> Iterator[list[Line]]:
        for program in programs:
            yield seen(self.mutant, program)

    def close(self) -> None:
        """There is no child."""

    def machine(self, name: str, examples: int) -> None:
        """Machines have a column of their own."""


def seen(mutant: Mutant, program: Program) -> list[Line]:
    """The lines that a program produces on a mutant."""
    names = mutant.names()
    return played(lambda: Stepping(program, Ours(names, names.new_event_loop())).play())


@cache
def cases() -> tuple[list[Case], ...]:
    """The kit's cases, in its own order; each remembers the lines of the reference."""
    return list(catalogue()), list(enumeration()), list(random(RANDOM_RUNS))


def find(mutant: Mutant) -> Found | None:
    """A small program that breaks the mutant's rule, or else the smallest that breaks any rule."""
    if mutant.replaces in ELSEWHERE:
        return None
    with left_behind():
        kit = Kit(Here(mutant), (), documented=False)
        first, *others = cases()
        for source in (first, alike(kit.focus.brings), *others):
            kit.play(source)
            if any(rule == mutant.rule for rule, *_ in kit.causes.broken):
                break
        failed = [*kit.causes.broken.values(), *kit.causes.random] or list(kit.causes.decided())
        failed = [one for one in failed if one.judgement.rule == mutant.rule] or failed
        if not failed:
            return None
        finding = next(kit.causes.shrink(min(failed, key=lambda one: one.operations)), None)
    if finding is None:  # as it gets smaller it is one that the rules allow
        finding = next(iter(whole.findings), None) if (whole := report(mutant)) else None
    if finding is None or finding.program is None:
        return None
    return {"rule": finding.rule, "operations": finding.operations, "program": finding.program}


def report(mutant: Mutant) -> Report | None:
    """The report of a whole default run on a mutant; None if it replaces a name that the programs do not use."""
    if mutant.replaces in ELSEWHERE:
        return None
    with left_behind():
        kit = Kit(Here(mutant), (), documented=False)
        return kit.report(kit.all())


def again(mutant: Mutant, found: Found) -> bool:
    """Programs leave things behind: call it within `left_behind()`."""
    case = Case(mutant.name, found["program"], (found["rule"],))
    judge = Judge([mutant.replaces], [mutant.replaces], lambda rule: True)
    judge.runs = OPEN_RUNS
    verdict = judge.judge(case, seen(mutant, found["program"]))
    return (verdict.state, verdict.rule) == (State.BROKEN, found["rule"])


def shows(name: str) -> tuple[str, str, bool]:
    """Return the name of a mutant, its findings as text, and whether the first of at most two is of its rule.

    A process of a pool gets the name, because the class is of no module that it could import.
    """
    mutant = BY_NAME[name]
    found = report(mutant)
    if found is None:
        return name, f"{mutant.replaces} is not a name of the kit", True
    if not found.findings:
        return name, "allowed", True
    code = found.findings[0].function() or found.findings[0].script()
    lines = code[code.find("def test") :].rstrip().splitlines()
    rules = [finding.rule for finding in found.findings]
    told = f"{' '.join(rules)}, {sum(map(bool, lines))} lines"
    return name, told, rules[0] == mutant.rule and len(rules) <= 2
