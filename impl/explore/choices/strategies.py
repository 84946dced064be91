"""Strategies of the search: which of the items that may run is taken, as a function of a seed.

Every strategy finds some races soon and others late, so the default is a *mix*: the seed of a run names its strategy.

-   `walk`: each item with the same probability.
-   `swarm`: each run draws a weight for each task, from 1/16 to 16, so some tasks are slow for the whole run.
-   `burst`: with probability 3/4 the task that ran last goes on, if it may; so tasks run far ahead.
-   `pct`: each task has a random priority, and the one with the highest runs; at a few random steps the running task
    gets the lowest.  Source: Burckhardt and others, "A Randomized Scheduler with Probabilistic Guarantees of Finding
    Bugs", ASPLOS 2010.
-   `deviate`: first in, first out, but for a few random steps.

The seed 0 is the plain run of the mix, first in, first out: a program that always fails does so in the first run.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias
from weakref import ref

from ...sim.choices import Choices, Lane, seeded_source

#: A task of any runtime, or CALLBACKS.
Actor: TypeAlias = Any
#: An entry of AnyOrder, or a task of trio.
Item: TypeAlias = Any

#: The actor of all plain callbacks: those keep their order among themselves.
CALLBACKS: Final = "callbacks"
#: The greatest weight of a task in `swarm`; the least is its inverse.
_WEIGHT_MAX: Final = 16.0
#: The probability with which `burst` stays with a task.
_STAY: Final = 0.75
#: The steps at which `pct` lowers a priority, and the most deviations of `deviate`.
_CHANGES: Final = 2
#: After this many times the steps of the plain run `pct` is uniform: an actor that spins would starve all others, and
#: that looks like a livelock of the program, which it is not.
_FAIR: Final = 10
_DEVIATIONS_MAX: Final = 4

#: Returns the index of the item that runs next.
Strategy: TypeAlias = Callable[[Sequence[Item]], int]


def actor(item: Item) -> Actor:
    """The task of the step that an item is, or CALLBACKS."""
    if not isinstance(item, tuple):
        return item
    runnable = item[1]
    return CALLBACKS if runnable.is_callback else getattr(runnable, "task", runnable)


def _known(item: Item) -> Actor:
    """The actor of an item as a strategy remembers it: a task is dropped when the program drops it, as on asyncio."""
    owner = actor(item)
    return owner if owner is CALLBACKS else ref(owner)


def walk(rand: Callable[[], float], steps: int) -> Strategy:
    """Each item with the same probability."""
    return lambda items: int(rand() * len(items))


def swarm(rand: Callable[[], float], steps: int) -> Strategy:
    """Each actor with its weight, which is drawn when it first appears."""
    weights: dict[Actor, float] = {}

    def pick(items: Sequence[Item]) -> int:
        total = 0.0
        sums: list[float] = []
        for item in items:
            owner = _known(item)
            if owner not in weights:
                weights[owner] = _WEIGHT_MAX ** (2 * rand() - 1)
            total += weights[owner]
            sums.append(total)
        drawn = rand() * total
        return next((at for at, upto in enumerate(sums) if drawn < upto), len(sums) - 1)

    return pick


def burst(rand: Callable[[], float], steps: int) -> Strategy:
    """The same actor again, mostly."""
    last: Actor = None

    def pick(items: Sequence[Item]) -> int:
        nonlocal last
        actors = [_known(item) for item in items]
        if last in actors and rand() < _STAY:
            return actors.index(last)
        at = int(rand() * len(items))
        last = actors[at]
        return at

    return pick


def pct(rand: Callable[[], float], steps: int) -> Strategy:
    """The actor with the highest priority; at `_CHANGES` of `steps` choices it gets one below all others."""
    priorities: dict[Actor, float] = {}
    fair = _FAIR * (steps + 1)
    changes = {1 + int(rand() * steps): -1.0 - number for number in range(_CHANGES)}
    count = 0

    def pick(items: Sequence[Item]) -> int:
        nonlocal count
        count += 1
        if count > fair:
            return int(rand() * len(items))
        actors = [_known(item) for item in items]
        for owner in actors:
            if owner not in priorities:
                priorities[owner] = rand()
        best = max(range(len(actors)), key=lambda at: priorities[actors[at]])
        if count in changes:
            priorities[actors[best]] = changes[count]
            best = max(range(len(actors)), key=lambda at: priorities[actors[at]])
        return best

    return pick


def deviate(rand: Callable[[], float], steps: int) -> Strategy:
    """The oldest item, but for 1 to `_DEVIATIONS_MAX` of `steps` choices, which are uniform among the others."""
    number = 1 + int(rand() * _DEVIATIONS_MAX)
    places = {1 + int(rand() * steps) for _ in range(number)}
    count = 0

    def pick(items: Sequence[Item]) -> int:
        nonlocal count
        count += 1
        return 1 + int(rand() * (len(items) - 1)) if count in places and len(items) > 1 else 0

    return pick


STRATEGIES: Final[dict[str, Callable[[Callable[[], float], int], Strategy]]] = {
    "walk": walk,
    "swarm": swarm,
    "burst": burst,
    "pct": pct,
    "deviate": deviate,
}
#: The strategies of the mix, by the seed's remainder.
_MIX: Final = (pct, walk, swarm, burst)
#: The name of the default.
MIX: Final = "mix"


class _Steered(Lane):
    """A schedule lane with picks of a strategy; ties and lateness are those of the seed."""

    __slots__ = ("_strategy",)

    def __init__(self, seed: int, strategy: Strategy) -> None:
        super().__init__("schedule", seeded_source(seed)("schedule"))
        self._strategy: Strategy | None = strategy

    def pick(self, items: Sequence[object]) -> int:
        if len(items) == 1 or self._strategy is None:
            return 0
        return self.record(len(items), self._strategy(items))

    def pause(self) -> Callable[[], None]:
        strategy, resume = self._strategy, super().pause()
        self._strategy = None

        def both() -> None:
            self._strategy = strategy
            resume()

        return both

    def finish(self) -> None:
        super().finish()
        self._strategy = None


def steered(seed: int, strategy: str, steps: int) -> Choices:
    """The choices of one run of the search.

    Parameters:
        seed: of the run; the same seed gives the same choices, in any batch.
        strategy: a name of STRATEGIES, or MIX.
        steps: the number of choice points of the plain run: where `pct` and `deviate` act.
    """
    if seed == 0 and strategy == MIX:
        return Choices.plain()
    made = _MIX[seed % len(_MIX)] if strategy == MIX else STRATEGIES[strategy]
    rand = random.Random(f"loopspec {seed} explore").random
    lanes = Choices(seeded_source(seed))
    lanes.schedule = _Steered(seed, made(rand, max(steps, 1)))
    return lanes
