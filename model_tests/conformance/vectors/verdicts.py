"""The verdict on a player: a row for each rule, by the vectors that it played.

A vector holds if its lines are those of the reference; if they are another of its outcomes, it differs in timing.
For all others the judge of the conformance kit decides: a rule is broken only if its predicate, or a part of the lines,
is true of no run that the rules allow.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import impl

from ...programs.vectors.vector import Vector
from ..cases.sources import Case, catalogue
from ..findings.verdicts import order, rules
from ..judge import Judge, Judgement, State
from ..normal import BEGINS, Line, NormalForm, shown
from .outcomes import member, noted
from .session import PlayerError, Session

# `Any` in this file: JSON.

#: How many runs of the reference are searched for lines that the stored outcomes do not decide.
RUNS: Final = 5_000
#: The states of a row, the one that decides first.
_FIRST: Final = (State.BROKEN, State.OPEN, State.TIMING, State.HELD)


@dataclass
class VectorVerdict:
    """The judgement of each vector that a player has played, by rule."""

    rules: dict[str, list[tuple[Case, Judgement, list[Line]]]] = field(default_factory=dict)
    skipped: int = 0  #: vectors that need names that the player lacks

    def state(self, rule: str) -> State:
        """Return the state of a rule."""
        states = [judgement.state for _, judgement, _ in self.rules[rule]]
        return next((state for state in _FIRST if state in states), State.ABSENT)

    @property
    def broken(self) -> list[str]:
        """The broken rules."""
        return [rule for rule in self.rules if self.state(rule) is State.BROKEN]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        in_order = sorted(self.rules, key=order)
        for rule in in_order:
            played = len(self.rules[rule])
            count = f"{played} vector{'s' * (played != 1)}" if played else ""
            yield f"{rule:<12}{self.state(rule).value:<20}{count}".rstrip()
        for rule in in_order:
            if self.state(rule) is State.BROKEN:
                yield from self._finding(rule)
        states = [judgement.state for of in self.rules.values() for _, judgement, _ in of]
        counts = ", ".join(f"{states.count(state)} {state.value}" for state in reversed(_FIRST))
        yield ""
        yield f"{len(states)} vectors: {counts}; {self.skipped} need names that the player lacks"

    def _finding(self, rule: str) -> Iterator[str]:
        """Yield the smallest program that breaks a rule."""
        of = [each for each in self.rules[rule] if each[1].state is State.BROKEN]
        case, _, seen = min(of, key=lambda each: each[0].size)
        standing, sentence = rules()[rule]
        had, expected = shown(seen), case.expected
        pairs = enumerate(zip(had, expected, strict=False))
        place = next((n for n, (one, other) in pairs if one != other), min(len(had), len(expected)))
        yield ""
        yield f"{rule} ({standing}): {sentence}"
        yield f"    vector    {case.name}"
        yield f"    program   {json.dumps(case.program)}"
        yield f"    expected  {json.dumps(expected[place]) if place < len(expected) else 'nothing more'}"
        yield f"    seen      {json.dumps(had[place]) if place < len(had) else 'nothing more'}"


def verdict(session: Session, vectors: Iterable[tuple[Vector, Mapping[str, Any]]]) -> VectorVerdict:
    """Play the vectors that a player can play, and judge each.

    Parameters:
        vectors: each with its row of the file of vectors.

    Raises:
        PlayerError: the player does not keep to the protocol.
    """
    cases = {case.name: case for case in catalogue()}
    judge = Judge(impl.__all__, impl.__all__, lambda rule: True)
    judge.runs = RUNS
    found, begun = VectorVerdict(), False
    for vector, told in vectors:
        found.rules.setdefault(vector.rules[0], [])
        seen = session.play(vector) if session.can_play(vector, told["needs"]) else None
        if seen is None:
            found.skipped += 1
            continue
        begun = begun or any(line[2] == BEGINS for line in seen)
        case = cases[vector.name]
        found.rules[vector.rules[0]].append((case, judged(judge, case, told, seen), seen))
    if not begun and len(found.rules) > 1 and any(found.rules.values()):
        raise PlayerError('it notes no line "begins": see "Recorded lines" in FORMAT.md')
    return found


def judged(judge: Judge, case: Case, told: Mapping[str, Any], seen: list[Line]) -> Judgement:
    """Return the judgement of the lines of a vector."""
    form = NormalForm(case.program, case.rules)
    had, expected = noted(form.of(seen)), form.of(case.expected)
    if shown(had) == expected:
        return Judgement(State.HELD)
    if told["outcomes"] is not None and member(had, expected, told["more"], told["outcomes"]):
        return Judgement(State.TIMING)
    return judge.judge(case, seen)
