"""The parts of a difference: the outcome of one step, or the order of two.

A *step* is one act of one actor: a call, an await, or the state of a thing at the end.  That lines differ as a
whole says little: another order of the tasks is right almost everywhere.  That one part is seen which no right run
has says that a rule is broken (`judge.py`).
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..normal import BEGINS, Line

#: The most parts that are looked at.
MOST: Final = 6
#: The actors of lines that are no steps of tasks or callbacks.
OTHERS: Final = frozenset({"end", "loop", "handler"})


class ProgramStep(NamedTuple):
    """A call, an await, or a state at the end, of an actor, for the n-th time, from 0."""

    actor: str
    what: str
    place: int

    @property
    def thing(self) -> str:
        """The thing that it calls or looks at, or ""."""
        words = self.what.removeprefix("await ").partition("(")[0].split()
        return words[1] if words[0] == "see" else words[0].rpartition(".")[0]


class Part(NamedTuple):
    """A step with an outcome, None if it does not come to its end; or, with `before`, a step that comes first.

    With `at`, the clock shows that number of milliseconds.
    """

    step: ProgramStep
    outcome: str | None
    before: ProgramStep | None = None
    at: int | None = None


class Calling:
    """Says of each line whether an actor makes a call there; not where one that may wait returns."""

    def __init__(self) -> None:
        self._waiting: set[str] = set()

    def __call__(self, line: Line) -> bool:
        _, actor, what, outcome = line
        waits = actor in self._waiting
        self._waiting.discard(actor)
        if what == BEGINS and outcome in ("await", "with"):
            self._waiting.add(actor)
            return True
        return not waits and what != BEGINS and actor not in OTHERS


def outcomes(expected: list[Line], seen: list[Line]) -> list[Part]:
    """Return the outcomes that are not as expected: tasks that wait for ever first, then states at the end.

    The same outcome at another time of the clock is one, too: turns take no time.
    """
    wanted, had = ({step: (outcome, at) for step, outcome, at in steps(lines)} for lines in (expected, seen))
    found: dict[tuple[str, str], Part] = {}
    for step in {**wanted, **had}:
        old, new = wanted.get(step), had.get(step)
        if old != new:
            late = old and new and old[0] == new[0]
            part = Part(step, new[0] if new else None, at=new[1] if late and new else None)
            found.setdefault((step.actor, step.what), part)
    return sorted(found.values(), key=lambda part: (part.outcome != "pending", part.step.actor != "end"))[:MOST]


def orders(expected: list[Line], seen: list[Line]) -> Iterator[Part]:
    """Yield the steps that come before another, of another actor, against the expectation: the nearest ones first."""
    wanted, had = ([each for each in steps(lines) if each[0].actor not in OTHERS] for lines in (expected, seen))
    places = {step: place for place, (step, *_) in enumerate(wanted)}
    pairs = [
        (n - m, Part(first, outcome, second))
        for n, (second, *_) in enumerate(had)
        for m, (first, outcome, _) in enumerate(had[:n])
        if places.get(first, -1) > places.get(second, len(had)) and first.actor != second.actor
    ]
    yield from [part for _, part in sorted(pairs, key=lambda pair: pair[0])[:MOST]]


def steps(lines: list[Line]) -> list[tuple[ProgramStep, str, int]]:
    """Return the steps in order, each with its outcome and its time."""
    counts: Counter[tuple[str, str]] = Counter()
    found = []
    for at, actor, what, outcome in lines:
        found.append((ProgramStep(actor, what, counts[actor, what]), outcome, at))
        counts[actor, what] += 1
    return found
