"""The judge: whether what is seen of a program breaks a rule.

Theory of operation.  A program is played on the reference and on the subject.  What differs, in the normal form, is
held against the subject unless it is named: a choice that the documentation leaves, or what this version of asyncio
is known for, where the subject took it from asyncio (programs/differences.py, `known.py`).  To tell what it took from
asyncio, asyncio itself plays the program too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextvars import Context
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import product
from typing import Any, Final

import impl

from ..programs.differences import DIFFERENCES, Difference, KeepsRequest, left_out, uses, with_differences
from ..programs.runtimes import observe
from .attribute import among, by_use, kind_of
from .known import known
from .normal import normal, played, strings
from .sources import Scenario

# `Any` in this file: programs and lines are JSON.
Program = dict[str, Any]
Line = list[Any]
Version = tuple[int, int]

THIS: Final[Version] = sys.version_info[:2]
#: A subject may do as any of these versions does, where that is a matter of choice.
CHOICES: Final[tuple[Version, ...]] = tuple(dict.fromkeys([THIS, (3, 11), (3, 13)]))
#: The named differences that are choices; the others are bugs of some version, or names that it lacks.
FREE: Final = frozenset({"COND-2", "BARRIER-1", "CANCEL-10", "GATHER-1"})


class State(Enum):
    """What is to be said of a program, or of a rule."""

    HELD = "held"
    BROKEN = "broken"
    KNOWN = "known bug"
    ABSENT = "not exercised"


@dataclass(frozen=True)
class Judgement:
    """What is to be said of a program; if it is not held, of which rule, and why."""

    state: State
    rule: str = ""
    why: str = ""
    kind: str = ""


#: asyncio's own futures and tasks, which differ in what they make of a StopIteration.
ASYNCIO: Final = ("asyncio", "asyncio-py")
HELD: Final = Judgement(State.HELD)


def absent(scenario: Scenario) -> Judgement:
    """This version has not the names that the program uses."""
    return Judgement(State.ABSENT, why=f"since Python {'.'.join(map(str, scenario.since))}")


def asyncios(program: Program, runtime: str) -> list[Line]:
    """What this version of asyncio shows."""
    return played(partial(observe, program, runtime))


class MainNeverWithdraws(impl.Loop):
    """Its first task, which in a program is main, is asyncio's; what the others are is up to the subject."""

    _has_main = False

    def create_task(self, coro: Any, *, name: str | None = None, context: Context | None = None) -> Any:
        if self._has_main:
            return super().create_task(coro, name=name, context=context)
        self._has_main = True
        return KeepsRequest(coro, self, name, context)


class Judge:
    """Judges what is seen of a subject that brings certain names, of which some are its `own`, not asyncio's.

    `wanted` says whether a rule was asked for.
    """

    def __init__(self, brings: Collection[str], own: Collection[str], wanted: Callable[[str], bool]) -> None:
        self.brings, self.own, self.wanted = brings, frozenset(own), wanted

    def judge(self, scenario: Scenario, seen: list[Line]) -> Judgement:
        """What is to be said of that program."""
        expected = scenario.expected
        if seen == expected:
            return HELD if scenario.since <= THIS or self.shows(scenario) else absent(scenario)
        program, rules = scenario.program, scenario.rules
        wanted, had = normal(program, expected, rules), normal(program, seen, rules)
        if wanted == had:
            return HELD
        named = self.named(scenario, had)
        if named is not None:
            return named
        kind = kind_of(program, wanted, had)
        if any(had == normal(program, asyncios(program, asyncio), rules) for asyncio in ASYNCIO):
            inherited = self.inherited(scenario)
            if inherited is not None:
                return inherited
        return Judgement(State.BROKEN, self.rule_of(scenario, kind), kind=kind)

    def shows(self, scenario: Scenario) -> bool:
        """Whether a program whose names this version does not have shows anything."""
        return scenario.expected != asyncios(scenario.program, "asyncio")

    def rule_of(self, scenario: Scenario, kind: str) -> str:
        """The rule that a difference of that kind breaks; if it shows several, one that was asked for."""
        if scenario.kinds and self.wanted(scenario.kinds.of(kind)):
            return scenario.kinds.of(kind)
        if scenario.rules:
            return among(list(filter(self.wanted, scenario.rules)) or scenario.rules, self.brings)
        return by_use(scenario.program, kind, self.brings)

    def named(self, scenario: Scenario, had: list[Line]) -> Judgement | None:
        """What is to be said if named differences account for all that differs."""
        own = self.own_in(scenario.program)
        for taken in self.takes(scenario.program):
            lines = played(partial(with_differences, scenario.program, taken))
            if normal(scenario.program, lines, scenario.rules) == had:
                bugs = [difference.rule for difference in taken if difference.rule not in FREE]
                told = [rule for rule in (*scenario.rules, *bugs) if known(rule, own)]
                return self.excused(told[0]) if bugs else HELD
        return None

    def excused(self, rule: str) -> Judgement:
        """What is to be said of a known bug of asyncio's: nothing, if only the main task has it."""
        bug = known(rule, self.own)
        return Judgement(State.KNOWN, rule, bug.issue) if bug else HELD

    def own_in(self, program: Program) -> frozenset[str]:
        """The subject's own names in a program: the main task is asyncio's, and what is asked of it as well."""
        asks_main = any(said.startswith("main.") for said in strings(program))
        return self.own - {"Task"} if asks_main else self.own

    def takes(self, program: Program) -> Iterator[list[Difference]]:
        """The differences that a program can meet, one by one, and together."""
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

    def inherited(self, scenario: Scenario) -> Judgement | None:
        """What is to be said where asyncio itself does the same; None if it may not either."""
        own = self.own_in(scenario.program)
        for rule in scenario.rules:
            if known(rule, own) is not None:
                return self.excused(rule)
        if scenario.since > THIS:
            return absent(scenario)
        difference = left_out(scenario.program)
        if difference is not None and not own.intersection(difference.name.replace(".", " ").split()):
            return HELD
        return None
