"""Decides whether the lines of a program break a rule.

Each program is played on the subject.  The expected lines are stored, or those of impl.  A difference in normal form
counts against the subject, unless it is named: the documentation leaves the choice, or it is a known bug of this
version of asyncio and the subject's code is asyncio's (`programs/differences.py`, `known_bugs.py`).  To find out the
latter, the program is also played on asyncio itself.  A program may be played on impl to excuse a subject, with a named
difference or in another order: this counts only if impl shows the stored lines.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextvars import Context
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import product
from typing import Any, Final

import impl

from ..programs.comparison import classes
from ..programs.differences import DIFFERENCES, Difference, KeepsRequest, left_out, uses, with_differences
from ..programs.enumeration import Program
from ..programs.freedoms import UNORDERED, UNORDERED_DESIGNS
from ..programs.releases import THIS, dotted
from .attribute import among, by_use, kind_of
from .cases.sources import Case
from .focus import EVERYWHERE
from .known_bugs import known
from .normal import Line, hung, normal, played, rested, shown, strings
from .predicates import predicates
from .predicates.contexts import CONTEXTS
from .predicates.parts import Part, orders, outcomes
from .subjects.profiles import NO_PROFILE, Profile
from .tolerance import RUNS, Allowed, allowed

#: Where the documentation leaves a choice, a subject may choose as any of these releases.
CHOICES: Final = tuple(dict.fromkeys([THIS, (3, 11), (3, 13)]))
#: The named differences that are choices; the others are bugs, or missing names, of some version.
FREE: Final = frozenset({"COND-2", "BARRIER-1", "CANCEL-10", "GATHER-1"})


class State(Enum):
    """The state of a program, or of a rule."""

    HELD = "held"
    BROKEN = "broken"
    KNOWN = "known bug"
    TIMING = "differs in timing"
    OPEN = "not judged"
    ABSENT = "not exercised"


@dataclass(frozen=True)
class Judgement:
    """The state of a program; unless it is held, the rule, the reason, and the kind of difference."""

    state: State
    rule: str = ""
    why: str = ""
    kind: str = ""
    #: Those that no right run shows; none if they were not searched for.
    parts: tuple[Part, ...] = ()


HELD: Final = Judgement(State.HELD)
#: The rules about the order of steps.
ORDERED: Final = frozenset(
    {
        *(
            "FUT-2",
            "FUT-3",
            "FUT-4",
            "FUT-5",
            "FUT-15",
            "TASK-4",
            "TASK-6",
            "TASK-14",
            "TASK-26",
            "CANCEL-7",
            "SLEEP-2",
        ),
        *("QUEUE-3", "QUEUE-4", "QUEUE-6", "LOCK-10", "SEM-2", "COND-1", "COND-4", "EVENT-3", "BARRIER-5"),
        *("ASDONE-1", "GROUP-1", "GROUP-4", "WAITFOR-2"),
    }
)
#: The names that are free in something among the rules that are documented.
SETTLED_NAMES: Final = frozenset([*UNORDERED, *UNORDERED_DESIGNS, "Future"])
#: Those about nothing else.
ONLY_ORDER: Final = frozenset({"QUEUE-3", "LOCK-10", "SEM-2", "SLEEP-2"})
#: The end of a line that says that iterations pass without end.
LIVELOCK: Final = ["end", "livelock"]
#: Names that request cancels of the task that runs, and take them back; and the calls that tell how many there are.
SCOPES: Final = frozenset({"TaskGroup", "timeout", "timeout_at", "Timeout"})
COUNTS: Final = re.compile(r"\.(un)?cancell?(ing)?\(")
#: How many runs of the reference are searched in vain, for all programs of a subject.
SEARCHES: Final = 20_000
#: How many of these may be for one rule and kind of difference; then few runs are searched for each such program.
VAIN_MAX: Final = SEARCHES // 2
VAIN_RUNS: Final = 30


def absent(case: Case) -> Judgement:
    """Return that this version lacks names that the program uses."""
    return Judgement(State.ABSENT, why=f"since Python {dotted(case.since)}")


class MainNeverWithdraws(impl.Loop):
    """A loop; its first task, main, keeps a pending cancel after uncancel(), as asyncio's tasks do before 3.13."""

    _has_main = False

    # Any: as in Loop.create_task
    def create_task(self, coro: Any, *, name: str | None = None, context: Context | None = None, **more: Any) -> Any:
        if self._has_main:
            return super().create_task(coro, name=name, context=context, **more)
        self._has_main = True
        return KeepsRequest(coro, self, name, context)


class Judge:
    """Judges a subject that brings certain names, some with code of its `own` that is not asyncio's.

    `wanted` says whether a rule is under test.  With `exact`, a subject must take as many turns as asyncio, and run
    ready tasks in its order; with `documented`, it is free where only CPython's tests say more than its documentation.
    `asked` says the same apart from that: a rule that is only settled is no reason to accuse one that is documented.
    Under a `profile`, programs are right that show its difference in another order.
    """

    def __init__(
        self,
        brings: Collection[str],
        own: Collection[str],
        wanted: Callable[[str], bool],
        exact: bool = False,
        documented: bool = False,
        profile: Profile = NO_PROFILE,
        asked: Callable[[str], bool] | None = None,
    ) -> None:
        self.brings, self.own, self.wanted, self.exact = brings, frozenset(own), wanted, exact
        self.asked = asked or wanted
        self.documented, self.profile = documented, profile
        #: How many runs of the reference may still be searched.
        self.searches = SEARCHES
        #: By rule and kind of difference: the size of the smallest program that certainly breaks it.
        self.smallest: dict[tuple[str, str], int] = {}
        #: How many runs are searched for one program.
        self.runs = RUNS
        #: By rule and kind of difference: how many runs were searched in vain.
        self.vain: Counter[tuple[str, str]] = Counter()
        #: Whether it does not count when the loop is idle.
        self.rests = False
        #: Whether its tasks ask again and again, so that the loop is never idle while one waits.
        self.polls = False
        #: Whether the subject takes other turns than asyncio.
        self.moves = False

    def judge(
        self, case: Case, seen: list[Line], only: tuple[str, str] | None = None, every: bool = False
    ) -> Judgement:
        """Return the judgement of a case by the lines that were seen.

        With `only`, a rule and a kind of difference, any other difference counts as held: that needs no search.
        With `every`, the judgement has every part that no right run shows, not just enough to break a rule.
        """
        expected = case.expected
        if EVERYWHERE.isdisjoint(self.brings):
            self.polls |= any(line[1:3] == LIVELOCK for line in seen)
            seen = [line for line in seen if line[1:3] != LIVELOCK]
        if rests := self.rests or self.polls or "new_event_loop" in self.brings:
            seen = rested(seen, expected)
        if shown(seen) == expected:
            return HELD if case.since <= THIS or self.shows(case) else absent(case)
        program, rules = case.program, case.rules
        wanted, had = normal(program, expected, rules), normal(program, seen, rules)
        if wanted == had:
            return HELD
        named = self.named(case, had)
        if named is not None:
            return named
        kind = kind_of(program, wanted, had)
        asyncios = [rested(lines, expected) if rests else lines for lines in case.asyncios]
        theirs = [normal(program, lines, rules) for lines in asyncios]
        if self.moves and self.unclear(program, rules, wanted in theirs):
            return HELD
        if had in theirs:
            inherited = self.inherited(case)
            if inherited is not None:
                return inherited
        rule = self.rule_of(case, kind)
        if only not in (None, (rule, kind)):
            return HELD
        state, parts = self.broken(case, seen, (rule, kind), every)
        return Judgement(state, rule, kind=kind, parts=parts)

    def unclear(self, program: Program, rules: Collection[str], usual: bool) -> bool:
        """Return whether a program may meet a bug of asyncio's code at a turn that the subject moves.

        It may if it is random and meets one anyway, or if this version has such a bug that the reference lacks.
        """
        everywhere = not EVERYWHERE.isdisjoint(self.brings)
        if not everywhere and not uses(*self.brings)(program):
            return False
        return (not rules and not usual) or self.lacking(program, frozenset(self.brings))

    def lacking(self, program: Program, own: frozenset[str]) -> bool:
        """Return whether the code of asyncio that a program uses, without its `own`, is too old in this version."""
        difference = left_out(program)
        return difference is not None and not own.intersection(difference.name.replace(".", " ").split())

    def broken(
        self, case: Case, seen: list[Line], what: tuple[str, str], every: bool
    ) -> tuple[State, tuple[Part, ...]]:
        """Return whether a difference from the reference breaks a rule, and the parts that no right run shows.

        That lines differ as a whole breaks nothing: see `predicates/parts.py`.  If a program is known that breaks the
        same rule with the same kind of difference, larger ones are not searched.
        """
        size = case.size[0]
        if "how" in case.program or "repeat" in strings(case.program):
            return State.BROKEN, ()  # the reference has the changes of these ways of running
        if self.exact or case.impl_differs or hung(seen) or size >= self.smallest.get(what, size + 1):
            return State.BROKEN, ()
        most = VAIN_RUNS if self.vain[what] >= VAIN_MAX and not every else self.runs
        left = self.searches
        whole = self.search(case, seen, most=most)
        if whole is Allowed.YES:
            self.moves = True
        whole_run = self.predicate(case.program, seen)
        certain = whole_run and whole_run[0] not in ONLY_ORDER  # tasks may go on in another order than they were served
        if whole is Allowed.YES:
            return State.TIMING, ()
        if whole is Allowed.UNDECIDED and not certain:
            self.vain[what] += left - self.searches
            return State.OPEN, ()
        expected, had = (normal(case.program, lines, case.rules) for lines in (case.expected, seen))
        results: dict[Part, Allowed] = {}
        for part in self.own_parts(case, expected, had) if every or not whole_run else ():
            results[part] = self.search(case, seen, part, most=most)
            if results[part] is Allowed.NO and not every:
                break
        parts = tuple(part for part, found in results.items() if found is Allowed.NO)
        if not parts and not results and not whole_run and what[0] in ORDERED:
            parts = tuple(part for part in orders(expected, had) if self.search(case, seen, part) is Allowed.NO)
        if parts or whole_run:
            self.smallest[what] = size
            return State.BROKEN, parts
        return (State.OPEN if Allowed.UNDECIDED in results.values() else State.TIMING), ()

    def predicate(self, program: Program, seen: list[Line]) -> tuple[str, str] | None:
        """Return the first rule that is wanted and that a whole run breaks, with a sentence about the run."""
        broken = predicates(program, seen, self.brings)
        return next((each for each in broken if self.wanted(each[0])), None)

    def is_documented(self, case: Case, seen: list[Line], parts: Collection[Part]) -> bool:
        """Return whether a failing program is against the documentation, and not only against a settled rule."""
        if self.documented or SETTLED_NAMES.isdisjoint(self.brings):
            return True
        left, self.searches = self.searches, SEARCHES
        try:
            whole = self.search(case, seen, documented=True)
            every = [self.search(case, seen, part, True) for part in parts if whole is not Allowed.YES]
            return whole is Allowed.NO and all(found is not Allowed.YES for found in every)
        finally:
            self.searches = left

    def search(
        self,
        case: Case,
        seen: list[Line],
        part: Part | None = None,
        documented: bool | None = None,
        most: int | None = None,
    ) -> Allowed:
        """Search the runs of the reference, also with the bugs of asyncio's own code, for lines or for a part.

        `documented` says whether it is free where only CPython's tests say more; by default as the judge is.
        `most` runs are searched.
        """
        unordered = self.documented if documented is None else documented
        bugs = max(self.takes(case.program), key=len, default=[])
        found = Allowed.NO
        for taken, differs in product([[], bugs] if bugs else [[]], self.profile.ways or [{}]):
            bound = min(most or self.runs, self.searches)
            found, runs = allowed(case.program, seen, case.rules, self.brings, bound, unordered, taken, differs, part)
            self.searches -= runs
            if found is not Allowed.NO:
                break
        return found

    def own_parts(self, case: Case, expected: list[Line], had: list[Line]) -> list[Part]:
        """Return the outcomes that differ of the subject's names: not those of calls of asyncio's things.

        The value of a context variable, which is Python's, is one of the task that looks at it.
        """
        every = outcomes(expected, had)
        if not EVERYWHERE.isdisjoint(self.brings) or not self.brings:
            return every
        mine = {*self.brings, *CONTEXTS}
        others = {thing for thing, name in classes(case.program).items() if name not in mine}
        counts = not SCOPES.isdisjoint(mine)
        return [part for part in every if part.step.thing not in others or (counts and COUNTS.search(part.step.what))]

    def usual(self, case: Case) -> bool:
        """Return whether this version of asyncio shows the same as the reference."""
        expected = normal(case.program, case.expected, case.rules)
        return all(normal(case.program, lines, case.rules) == expected for lines in case.asyncios)

    def shows(self, case: Case) -> bool:
        """Return whether a program with names that this version lacks shows anything."""
        return case.expected != case.asyncios[0]

    def rule_of(self, case: Case, kind: str) -> str:
        """Return the rule that a difference of this kind breaks; of several, one that was asked for."""
        nearest = case.kinds.nearest(kind) if case.kinds else []
        fit = [rule for rule in (*nearest, *case.rules) if kind == "order" or rule not in ONLY_ORDER]
        for rule in filter(self.asked, fit[: len(nearest)]):
            return rule
        if case.rules:
            return among(list(filter(self.asked, fit)) or case.rules, self.brings)
        return by_use(case.program, kind, self.brings)

    def named(self, case: Case, had: list[Line]) -> Judgement | None:
        """Return the judgement if named differences explain all that differs, else None."""
        if case.impl_differs:
            return None
        own = self.own_in(case.program)
        for taken in self.takes(case.program):
            lines = played(partial(with_differences, case.program, taken))
            if normal(case.program, lines, case.rules) == had:
                bugs = [difference.rule for difference in taken if difference.rule not in FREE]
                rules = [rule for rule in (*case.rules, *bugs) if known(rule, own)]
                return self.excused(rules[0]) if bugs else HELD
        return None

    def excused(self, rule: str) -> Judgement:
        """Return the judgement of a known bug of asyncio's; a bug of the main task alone does not count."""
        bug = known(rule, self.own)
        return Judgement(State.KNOWN, rule, bug.issue) if bug else HELD

    def own_in(self, program: Program) -> frozenset[str]:
        """Return the subject's own names in a program; without Task if it calls the main task, which is asyncio's.

        A group in the main task does so, too: it requests a cancel and takes it back.
        """
        calls_main = any(said.startswith("main.") for said in strings(program))
        in_main = "TaskGroup" in strings(program["main"])
        return self.own - {"Task"} if calls_main or in_main else self.own

    def takes(self, program: Program) -> Iterator[list[Difference]]:
        """Yield the named differences that a program can show, one by one and then together."""
        own = self.own_in(program)
        only_main = ["Task" in self.own] + [True] * ("Task" in self.brings)
        for version, of_main in product(CHOICES, dict.fromkeys(only_main)):
            met = [
                replace(difference, loop=MainNeverWithdraws) if difference.loop and of_main else difference
                for difference in DIFFERENCES
                if difference.meets(version)
                and ((difference.names and uses(*difference.names)(program)) or difference.loop)
                and (difference.rule in FREE or (version == THIS and known(difference.rule, own)))
            ]
            for difference in met:
                yield [difference]
            if len(met) > 1:
                yield met

    def inherited(self, case: Case) -> Judgement | None:
        """Return the judgement if asyncio shows the same; None if that is no excuse."""
        own = self.own_in(case.program)
        for rule in case.rules:
            if known(rule, own) is not None:
                return self.excused(rule)
        if case.since > THIS:
            return absent(case)
        return HELD if self.lacking(case.program, own) else None
