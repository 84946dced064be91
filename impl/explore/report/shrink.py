"""Shrinking: the simplest plan under which the program still fails in the same way.

A plan is all that decides a run, as lists of ints by lane: the order of tasks, cancels, lateness, the network and its
faults.  Any lists are a valid plan, and 0 is the plain choice, so a plan is simpler if fewer of its choices differ from
0, then if their sum is less, then if they come earlier.  The shrinker makes changes that simplify a plan, and keeps
those that still fail, until none does:

-   set a block of choices to 0, or a single one;
-   leave a block out, so that later choices come earlier;
-   lower a choice;
-   set one choice to 0 and raise or move another one.

Then it runs all plans with one choice that differs from 0, with two, and so on, as long as these are fewer than in the
best plan and the number of runs allows: if that stage ends, no plan has fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Final, NamedTuple, TypeAlias

#: The choices of a run, by lane.
Plan: TypeAlias = Mapping[str, Sequence[int]]

#: The runs that a shrink may take, unless the caller sets another limit.
RUNS_MAX: Final = 600
_BLOCKS: Final = (32, 16, 8, 4, 2, 1)
#: Up to so many choices that differ from 0, pairs of them are tried.
_PAIRS_MAX: Final = 8
#: The values that a choice is raised to, when another one becomes 0.
_RAISED: Final = (1, 2, 3)

#: One choice that differs from 0: its lane, its place, its value.
_Change: TypeAlias = tuple[str, int, int]


class Played(NamedTuple):
    """A run of a plan."""

    #: Whether it failed in the same way.
    failed: bool
    #: The choices that it drew.
    drawn: Plan


class Shrunk(NamedTuple):
    """The simplest plan that was found."""

    plan: dict[str, list[int]]
    #: Whether no plan with fewer choices that differ from 0 fails.
    least: bool
    runs: int


def shrink(plan: Plan, play: Callable[[Plan], Played], runs_max: int = RUNS_MAX) -> Shrunk:
    """Make a plan simpler, as long as it fails.

    Parameters:
        plan: of a run that fails.
        play: runs the program by a plan.
        runs_max: the number of runs.
    """
    search = _Search({lane: list(values) for lane, values in plan.items()}, play, runs_max)
    search.descend()
    least = search.levels()
    search.descend()
    return Shrunk(search.best, least, runs_max - search.left)


def size(plan: Plan) -> tuple[int, int, int]:
    """How simple a plan is; the least is the simplest: choices that differ from 0, their sum, their places."""
    changes = [(at, value) for values in plan.values() for at, value in enumerate(values) if value]
    return len(changes), sum(value for _, value in changes), sum(at for at, _ in changes)


class _Search:
    """The simplest plan so far, and the changes that make it simpler."""

    def __init__(self, plan: dict[str, list[int]], play: Callable[[Plan], Played], runs_max: int) -> None:
        self.best = _trimmed(plan)
        #: The runs that are left.
        self.left = runs_max
        self._play = play
        self._tried: set[tuple[tuple[str, tuple[int, ...]], ...]] = set()

    def descend(self) -> None:
        """Make changes until none simplifies the plan."""
        ways = (self._cleared, self._dropped, self._lowered, self._paired)
        while any(self._improve(way) for way in ways):
            pass

    def levels(self) -> bool:
        """Try all plans with fewer choices that differ from 0; returns whether all were tried, or one was found."""
        level: list[dict[str, list[int]]] = [{lane: [] for lane in self.best}]
        while size(level[0])[0] + 1 < size(self.best)[0]:
            further = []
            for plan in level:
                for child, failed in self._children(plan):
                    if failed:
                        self.best = child
                        return True
                    further.append(child)
            if not further or not self.left:
                return bool(self.left)
            level = further
        return True

    def _children(self, plan: dict[str, list[int]]) -> Iterator[tuple[dict[str, list[int]], bool]]:
        """The plans with one more choice that differs from 0, after the others, and whether they fail."""
        if not self.left:
            return
        lanes = list(plan)
        last = max((n for n, lane in enumerate(lanes) if plan[lane]), default=0)
        drawn = self._run(plan).drawn
        for lane in lanes[last:]:
            for at in range(len(plan[lane]), len(drawn[lane])):
                for value in count(1):
                    child = {**plan, lane: [*plan[lane], *[0] * (at - len(plan[lane])), value]}
                    if not self.left:
                        return
                    played = self._run(child)
                    if played.drawn[lane][at : at + 1] != [value]:
                        break  # there are not so many possibilities
                    yield child, played.failed

    def _improve(self, plans: Callable[[], Iterator[dict[str, list[int]]]]) -> bool:
        """Try plans, which are made from the best one, until none is better; returns whether one was."""
        found = False
        while any(self._try(plan) for plan in plans()):
            found = True
        return found

    def _try(self, plan: dict[str, list[int]]) -> bool:
        plan = _trimmed(plan)
        key = tuple((lane, tuple(values)) for lane, values in plan.items())
        if size(plan) >= size(self.best) or key in self._tried or not self.left:
            return False
        self._tried.add(key)
        played = self._run(plan)
        if played.failed:
            self.best = min(plan, _trimmed(played.drawn), key=size)
        return played.failed

    def _run(self, plan: Plan) -> Played:
        self.left -= 1
        return self._play(plan)

    def _changes(self) -> list[_Change]:
        return [(lane, at, value) for lane, values in self.best.items() for at, value in enumerate(values) if value]

    def _cleared(self) -> Iterator[dict[str, list[int]]]:
        changes = self._changes()
        for block in _BLOCKS:
            if block > len(changes) and block != 1:
                continue
            for first in range(0, len(changes), block):
                yield self._with([(lane, at, 0) for lane, at, _ in changes[first : first + block]])

    def _dropped(self) -> Iterator[dict[str, list[int]]]:
        for lane, values in self.best.items():
            for block in _BLOCKS:
                for first in range(len(values) - block + 1):
                    yield {**self.best, lane: values[:first] + values[first + block :]}

    def _lowered(self) -> Iterator[dict[str, list[int]]]:
        for lane, at, value in self._changes():
            for less in dict.fromkeys((1, value // 2, value - 1)):
                if 0 < less < value:
                    yield self._with([(lane, at, less)])

    def _paired(self) -> Iterator[dict[str, list[int]]]:
        changes = self._changes()
        if len(changes) > _PAIRS_MAX:
            return
        for lane, at, value in changes:
            for other in range(at):
                if not self.best[lane][other]:
                    yield self._with([(lane, at, 0), (lane, other, value)])
        for lane, gone, _ in changes:
            values = self.best[lane]
            for less in ([*values[:gone], 0, *values[gone + 1 :]], values[:gone] + values[gone + 1 :]):
                for moved in [-1, *(n for n, value in enumerate(less) if value)]:
                    kept = [0 if n == moved else value for n, value in enumerate(less)]
                    for place, old in enumerate(kept):
                        for value in _RAISED:
                            if value > old:
                                yield {**self.best, lane: [*kept[:place], value, *kept[place + 1 :]]}

    def _with(self, changes: Sequence[_Change]) -> dict[str, list[int]]:
        plan = {lane: list(values) for lane, values in self.best.items()}
        for lane, at, value in changes:
            plan[lane][at] = value
        return plan


def _trimmed(plan: Plan) -> dict[str, list[int]]:
    """The plan without the zeros at its ends, which say nothing."""
    trimmed = {}
    for lane, values in plan.items():
        end = len(values)
        while end and not values[end - 1]:
            end -= 1
        trimmed[lane] = list(values[:end])
    return trimmed
