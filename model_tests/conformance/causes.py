"""The causes: the failing programs of a subject, shrunk, and grouped into findings.

`Causes.add` keeps the smallest failing program of each rule and kind of difference, and some random ones.  Getters that
hang and putters that hang are two kinds, as one is seldom the cause of the other.  At the end `findings` shrinks all of
them, by a number of attempts.  A smaller program counts only if it breaks the same rule with the same kind of
difference; if there is none, the program stays as it is.  Programs that are then equal, but for the names of tasks and
other things, are one finding.

The rule of a finding is named again from the differences of its smallest program (`symptoms.py`).  The other rules that
failing programs of the cause show break with it, so that the verdict on a rule is the same, whichever rules are under
test.  A rule that is not about the subject's own names breaks in asyncio's code, because of the first finding.

For example, a Lock with a `release` that wakes no waiter.  Of 465 programs 300 fail: of LOCK-1, LOCK-2, LOCK-5, ...

    shrunk     tasks a and b acquire, main releases    expected: b has the lock; seen: b waits, locked=False
    named      "a task waits, though it is free"       this sign says LOCK-8
    also       LOCK-1, LOCK-2, LOCK-5, ...             their programs shrink to the same one
    because    COND-1, COND-4, COND-6                  asyncio's Condition waits for this lock

So the report has one finding, LOCK-8, with one test of ten lines.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from math import sqrt
from typing import Final, NamedTuple

from ..programs.comparison import compared
from ..programs.enumeration import Program
from ..programs.shrink import shrink
from .attribute import LEAKS, families, is_own
from .cases.requirements import needed
from .cases.sources import Case, catalogue
from .findings.content import ShownProgram
from .findings.finding import Finding
from .findings.grouping import grouped
from .findings.symptoms import nearer, symptom
from .findings.verdicts import order, rules
from .focus import Focus
from .judge import ONLY_ORDER, SEARCHES, Judge, Judgement, State
from .normal import LEFT, Line, hung, normal, rested, strings
from .predicates import predicates
from .predicates.locks import IS_FREE, IS_LOST
from .process import Process

#: How many smaller programs are played to shrink one failing program, and all of them.
ATTEMPTS: Final = 300
ATTEMPTS_ALL: Final = 4000
#: How many attempts it costs if a smaller program ends its process: that takes seconds.
LOST: Final = 1000
#: How many programs that were left undecided are made smaller, and how many runs of each are searched then.
OPEN_MAX: Final = 3
OPEN_RUNS: Final = 3_000
#: How many failing random programs are kept.
RANDOM_MAX: Final = 5
#: Rules of special methods and arguments, which come after those of other findings.
LATER: Final = frozenset({"QUEUE-30", "QUEUE-31", "QUEUE-32", "GATHER-7", "WAITFOR-5"})
#: The settled rules where the documentation leaves the choice free.
SETTLED_RULES: Final = ("QUEUE-3", "SEM-2", "COND-1", "GATHER-6", "WAITFOR-5", "WAITFOR-3", "FUT-4")

#: The sentence of a finding that breaks a settled rule about nothing but an order.
OVERTAKEN: Final = "a task was served before one that had called earlier"
#: A rule, the kind of the difference, and the method that never returns, if there is one.
Cause = tuple[str, str, str]


class Failed(NamedTuple):
    """A case that failed, with the lines that were seen, and the judgement."""

    case: Case
    lines: list[Line]
    judgement: Judgement

    @property
    def operations(self) -> int:
        """The size of the program: see `attribute.operations`."""
        return self.case.size[0]

    @property
    def size(self) -> tuple[int, bool]:
        """The same, and whether it cancels."""
        return self.case.size

    @property
    def cause(self) -> Cause:
        """The rule and the difference that programs which fail in the same way share."""
        case, kind = self.case, self.judgement.kind
        expected, seen = (normal(case.program, some, case.rules) for some in (case.expected, self.lines))
        if rested(seen, expected) == expected:
            kind = "idle"  # the programs of this cause show only that the loop was idle at another time
        return self.judgement.rule, kind, ShownProgram(case.program, expected, seen, kind).hangs_in


class Causes:
    """The failing programs of one subject."""

    def __init__(self, process: Process, judge: Judge, focus: Focus) -> None:
        self.process, self.judge, self.focus = process, judge, focus
        self.broken: dict[Cause, Failed] = {}
        #: By rule: the smallest failing program that would show it broken.
        self.showing: dict[str, Failed] = {}
        #: By rule and kind of difference: the smallest program that was left undecided.
        self.open: dict[tuple[str, str], Failed] = {}
        self.random: list[Failed] = []
        self.after_others: list[Failed] = []  #: those that fail only after others
        self.every: list[Finding] = []  #: the findings that are grouped, the first one first
        self.attempts = ATTEMPTS_ALL
        self.failed: Counter[str] = Counter()  #: rule -> the number of vectors of it that fail
        self.vectors = 0

    def add(self, case: Case, lines: list[Line], judgement: Judgement) -> None:
        """Keep a failing program: the first random ones, of the others the smallest of each rule and kind."""
        failed = Failed(case, lines, judgement)
        if not case.rules:
            self.random = [*self.random, failed][:RANDOM_MAX]
            return
        if case.kinds is None:
            self.vectors += 1
            self.failed.update(set(case.rules))
        cause = failed.cause
        self.broken[cause] = min(self.broken.get(cause, failed), failed, key=lambda each: each.size)
        for rule in case.rules:
            self.showing[rule] = min(self.showing.get(rule, failed), failed, key=lambda each: each.size)

    def leave(self, case: Case, lines: list[Line], judgement: Judgement) -> None:
        """Keep a program that was left undecided, if it is the smallest of its rule and kind."""
        failed, what = Failed(case, lines, judgement), (judgement.rule, judgement.kind)
        self.open[what] = min(self.open.get(what, failed), failed, key=lambda each: each.operations)

    def findings(self) -> list[Finding]:
        """Return the findings, the first cause first; random programs count only if no other program fails."""
        own = set(families(self.judge.brings))
        self.judge.searches = SEARCHES  # smaller programs are searched anew
        self.reconsider()
        failing = sorted(self.broken.values(), key=lambda failed: failed.operations) or self.random
        first = [failed for failed in failing if is_own(failed.judgement.rule, own)] or failing
        found: list[Finding] = []
        named: dict[Cause, str] = {}
        for failed in first:
            for each in self.shrink(failed):
                if self.judge.wanted(each.rule):
                    found.append(each)
                    named[failed.cause] = each.rule
        found = found or [self.finding(failed) for failed in self.after_others]
        others = [failed.judgement.rule for failed in failing if failed not in first]
        self.every = sorted(found, key=partial(self.place, certain=any(map(certain, found))))
        return self.with_others(grouped(self.every, own, others), named, own)

    def with_others(self, found: list[Finding], named: dict[Cause, str], own: set[str]) -> list[Finding]:
        """Return the findings; each also has the rules of the subject's that failing programs of its cause show."""
        shown = {rule: place for place, each in enumerate(found) for rule in each.rules}
        more: dict[int, list[str]] = {}
        for rule in sorted(self.showing, key=order):
            if rule not in shown and self.judge.wanted(rule) and is_own(rule, own):
                cause = named.get(self.showing[rule].cause, "")
                more.setdefault(shown.get(cause, 0), []).append(rule)
        return [replace(each, also=(*each.also, *more.get(place, ()))) for place, each in enumerate(found)]

    def reconsider(self) -> None:
        """Drop failures from before the subject was known to move turns, if asyncio's code may be the reason."""
        if self.judge.moves:
            self.broken = {
                cause: failed
                for cause, failed in self.broken.items()
                if self.judge.judge(failed.case, failed.lines).state is State.BROKEN
            }

    def place(self, finding: Finding, certain: bool) -> tuple[object, ...]:
        """Return the sort key of a finding: plain behaviour first, then programs that need a cancel, an error, or luck.

        Where another finding is `certain`, a difference of order comes last.
        """
        cancels = any(said.endswith(".cancel") for said in strings(finding.program))
        differing = compared(finding.expected, finding.seen)
        late = all(each.what.startswith("see ") for each in differing)  # in between, or in order only
        late = (late and not finding.signed) or rested(finding.seen, finding.expected) == finding.expected
        return (
            is_later(finding),
            finding.follows,
            finding.rule in ONLY_ORDER and (certain or not finding.said),
            late,
            not finding.signed,
            not finding.said,
            cancels if finding.signed else -self.suspicion(finding.rule),
            cancels,
            finding.operations,
            finding.kind != "cancel",
            order(finding.rule),
        )

    def suspicion(self, rule: str) -> float:
        """Return how well a rule accounts for the vectors that fail, from 0 to 1 (Ochiai's coefficient)."""
        every = self.vectors * shows()[rule]
        return float(self.failed[rule] / sqrt(every)) if every else 0.0

    def decided(self) -> Iterator[Failed]:
        """Yield failing programs, smaller than the undecided ones, with few enough runs to search them all."""
        for failed in sorted(self.open.values(), key=lambda each: each.operations)[:OPEN_MAX]:
            yield from filter(None, [self.decide(failed)])

    def decide(self, failed: Failed) -> Failed | None:
        """Return a smaller program than one that was left undecided, if that fails."""
        judge = self.judge
        judge.exact = True  # to shrink it, any difference of the same kind will do
        try:
            small = self.smaller(failed)
        finally:
            judge.exact = False
        judge.searches = judge.runs = OPEN_RUNS
        judge.smallest.pop((failed.judgement.rule, failed.judgement.kind), None)
        judgement = judge.judge(small.case, small.lines)
        return small._replace(judgement=judgement) if judgement.state is State.BROKEN else None

    # --- shrinking -------------------------------------------------------------------------------------------

    def shrink(self, failed: Failed) -> Iterator[Finding]:
        """Yield the finding of a failing program: a smallest program that breaks the same rule in the same way.

        There is none if the rules allow the lines, as a program that is larger than one that fails is not searched.
        A program that does not return would take too long to play often, and impl is no reference where it differs
        itself.  Where programs fail only after others, those that fail alone are kept as they are, if there are any.
        """
        if returns(failed.lines) and not failed.case.impl_differs:
            smaller = self.smaller(failed)
            if smaller.judgement.state is State.BROKEN:  # else it is not deterministic
                again = self.searched(smaller)
                # Where it is undecided, the larger one may still be decided.
                if again.state is State.BROKEN and self.alone(smaller):
                    yield self.finding(smaller._replace(judgement=again))
                    return
            if self.allowed(failed):
                return
        if returns(failed.lines) and not self.alone(failed):
            self.after_others.append(failed)
        else:
            yield self.finding(failed)

    def alone(self, failed: Failed) -> bool:
        """Return whether a program fails as the first of its process, too."""
        lines = self.process.alone(failed.case.program)
        what = failed.judgement.rule, failed.judgement.kind
        return self.judge.judge(failed.case, lines, what).state is State.BROKEN

    def allowed(self, failed: Failed) -> bool:
        """Return whether a search finds a right run with these lines."""
        return self.searched(failed).state not in (State.BROKEN, State.OPEN)

    def searched(self, failed: Failed) -> Judgement:
        """Return the judgement by a search of its own."""
        self.judge.smallest.pop((failed.judgement.rule, failed.judgement.kind), None)
        return self.judge.judge(failed.case, failed.lines, every=True)

    def smaller(self, failed: Failed) -> Failed:
        """Play smaller and smaller programs, and return the last that breaks the same rule in the same way."""
        case, _, judgement = failed
        left = min(ATTEMPTS, self.attempts)
        needs = needed(judgement.rule, case.program)
        leaks = "repeat" in strings(case.program)  # a smaller one may keep as much with asyncio's own code

        def same(program: Program) -> bool:
            nonlocal left
            left -= 1
            if left < 0 or not needs(program):
                return False
            self.attempts -= 1
            try:
                if self.focus.look(program).lacks:
                    return False
                losses = self.process.losses
                smaller = self.again(case, program, (judgement.rule, judgement.kind))
                if self.process.losses > losses:
                    left, self.attempts = 0, self.attempts - LOST
            except Exception:  # a part of a program need not be a program
                return False
            broken = smaller.judgement.state is State.BROKEN
            return broken and not (leaks and not self.judge.usual(smaller.case))

        self.judge.rests = True  # a program that shows more is not shrunk to one that shows when it ends
        try:
            self.judge.rests = self.again(case, case.program).judgement.state is State.BROKEN
            program = shrink(case.program, same)
        finally:
            self.judge.rests = False
        return self.again(case, program)

    def again(self, case: Case, program: Program, only: tuple[str, str] | None = None) -> Failed:
        """Play a smaller program; `only` as in Judge.judge."""
        smaller = Case(case.name, program, case.rules, case.kinds, case.since)
        lines = self.process.one(program)
        return Failed(smaller, lines, self.judge.judge(smaller, lines, only))

    def finding(self, failed: Failed) -> Finding:
        """Return the finding of a program as it is; its rule is named by impossible parts, or by predicates."""
        (case, lines, judgement), judge = failed, self.judge
        expected, seen = (normal(case.program, some, case.rules) for some in (case.expected, lines))
        rule = symptom(case.program, expected, seen, judgement.kind, judge.brings, judgement.parts)
        named = list(predicates(case.program, lines, judge.brings))
        if any(said == IS_LOST for _, said in named) and self.is_free(failed):
            named = [("LOCK-8", IS_FREE) if said == IS_LOST else (rule, said) for rule, said in named]
        sentences = dict(reversed(named))
        named += [(rule, "")] * bool(rule)
        named.sort(key=lambda each: each[0] in ONLY_ORDER)  # stable
        leak = any(each in LEAKS.values() for each in case.rules)
        if leak:
            named = []  # a thing that is kept does not show the call that kept it
        signed = any(judge.asked(rule) for rule, _ in named)
        if not signed:
            named = [(judge.rule_of(case, judgement.kind), "")]
        first = named[0][0]
        if first not in sentences and not leak and (is_documented(first) or not signed):
            named = self.settled(case, lines, judgement) or named
            sentences |= {rule: said for rule, said in named if said}
        if hung(lines):  # a program that hangs keeps none of its rules
            named += [(each, "") for each in case.rules if is_own(each, set(families(judge.brings)))]
        rule = next((each for each, _ in named if judge.wanted(each)), named[0][0])
        near = nearer(rule, ShownProgram(case.program, expected, seen, judgement.kind, judgement.parts))
        rule = near if judge.wanted(near) else rule
        subject, brings = self.process.subject, tuple(judge.brings)
        return Finding(
            case.name,
            case.program,
            expected,
            seen,
            subject,
            rule,
            judgement.kind,
            brings=brings,
            signed=signed,
            said=sentences.get(rule, ""),
        )

    def is_free(self, failed: Failed) -> bool:
        """Return whether a lock that looks taken is free when the tasks that wait for it are cancelled."""
        program = failed.case.program
        waiting = [line[2] for line in failed.lines if line[1] == "end" and line[3] == "pending"]
        ends = [["await", ["sleep", 999]], *(["do", [f"{name}.cancel"]] for name in waiting)]
        main = [["let", "ends", ["create_task", ["body", "ends"]]], *program["main"]]
        lines = self.process.one({**program, "main": main, "bodies": {**program["bodies"], "ends": ends}})
        return any(line[1] == "end" and "locked=False" in line[3] for line in lines)

    def settled(self, case: Case, lines: list[Line], judgement: Judgement) -> list[tuple[str, str]]:
        """Return the settled rules where the documentation is free; none if a program breaks the documentation."""
        if case.impl_differs or self.judge.is_documented(case, lines, judgement.parts):
            return []
        nearest = case.kinds.nearest(judgement.kind) if case.kinds else []
        own = set(families(self.judge.brings))
        every = [rule for rule in (*nearest, *case.rules) if rule in SETTLED_RULES]
        mine = [rule for rule in (*every, *SETTLED_RULES) if is_own(rule, own)]
        return [(rule, OVERTAKEN if rule in ONLY_ORDER else "") for rule in mine]


def certain(finding: Finding) -> bool:
    """Return whether a task waits for ever, or a predicate is false that is not only about an order."""
    return bool(finding.hangs_in or (finding.said and finding.rule not in ONLY_ORDER))


def returns(lines: list[Line]) -> bool:
    """Return whether a program returned, so that the process did not end."""
    return bool(lines[-1][1] != "loop" or lines[-1][1:3] == LEFT)


def is_documented(rule: str) -> bool:
    """Return whether a rule is documented."""
    return rules().get(rule, ("",))[0] == "documented"


def is_later(finding: Finding) -> bool:
    """Return whether a finding is shown after others: wrong calls are accepted, or it is about leaks, for example."""
    refusals = ("raised RuntimeError", "raised TypeError", "raised ValueError")
    wanted = [each.wanted[-1:] for each in compared(finding.expected, finding.seen) if each.actor != "end"]
    return (
        finding.rule in LATER
        or finding.rule in LEAKS.values()
        or any(text.startswith(refusals) for each in wanted for text in each)
    )


@cache
def shows() -> Counter[str]:
    """Return the number of vectors of each rule."""
    return Counter(rule for case in catalogue() for rule in set(case.rules))
