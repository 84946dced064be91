"""The parts of a difference: the outcome of one step, or the order of two.

A *step* is what one actor does once: a call, an await, or the state of a thing at the end.  That lines differ as a
whole says little: another order of the tasks is right almost everywhere.  That one part is seen which no right run
has says that a rule is broken (`judge.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from ...programs.compared import compared
from ..normal import Line

#: The most pairs of steps that are looked at.
PAIRS: Final = 6


class Step(NamedTuple):
    """What an actor does for the n-th time, from 0."""

    actor: str
    what: str
    place: int

    @property
    def thing(self) -> str:
        """The thing that it calls or looks at, or ""."""
        words = self.what.removeprefix("await ").partition("(")[0].split()
        return words[1] if words[0] == "see" else words[0].rpartition(".")[0]


class Part(NamedTuple):
    """A step with an outcome, None if it does not come to its end; or, with `before`, a step that comes first."""

    step: Step
    outcome: str | None
    before: Step | None = None


def outcomes(expected: list[Line], seen: list[Line]) -> list[Part]:
    """Return the outcomes that are not as expected: what waits for ever first, then what is at the end."""
    found = []
    for actor, what, wanted, had in compared(expected, seen):
        place = next(
            (n for n, pair in enumerate(zip(wanted, had, strict=False)) if pair[0] != pair[1]),
            min(len(wanted), len(had)),
        )
        found.append(Part(Step(actor, what, place), had[place] if place < len(had) else None))
    return sorted(found, key=lambda part: (part.outcome != "pending", part.step.actor != "end"))


def orders(expected: list[Line], seen: list[Line]) -> Iterator[Part]:
    """Yield the steps that come before another, of another actor, against the expectation: the nearest ones first."""
    wanted, had = steps(expected), steps(seen)
    places = {step: place for place, (step, _) in enumerate(wanted)}
    pairs = [
        (n - m, Part(first, outcome, second))
        for n, (second, _) in enumerate(had)
        for m, (first, outcome) in enumerate(had[:n])
        if places.get(first, -1) > places.get(second, len(had)) and first.actor != second.actor
    ]
    yield from [part for _, part in sorted(pairs, key=lambda pair: pair[0])[:PAIRS]]


def steps(lines: list[Line]) -> list[tuple[Step, str]]:
    """Return the steps of tasks and callbacks in order, each with its outcome."""
    counts: Counter[tuple[str, str]] = Counter()
    found = []
    for _, actor, what, outcome in lines:
        if actor not in ("end", "loop", "handler"):
            found.append((Step(actor, what, counts[actor, what]), outcome))
            counts[actor, what] += 1
    return found
