"""The choices of each run of a search, as a function of its seed and of the plain run.

Seed 0 is the plain run, first in, first out.  The other seeds draw a schedule by a strategy.  With something to inject
(cancels, timeouts, faults of the network), the odd seeds first *sweep*: each place of the plain run where something
may be injected, one at a time, with each value that it may have, and nothing else.  The other seeds inject at one or
two places that are drawn, under a drawn schedule.

The strategy `sweep` does nothing but sweep: after the plain run each injection by itself, then each two of them, those
closest together first.  The search ends when all were made.

Where timers are free (sim/lateness.py) and the search has no other injection, each second seed sweeps, in strides, so
that few seeds reach all parts of the run; where there is little to sweep, fewer seeds do; `free_choices`.
"""

from __future__ import annotations

import random
from math import gcd
from typing import Final

from ...sim.choices import Choices, Source
from .strategies import MIX, STRATEGIES, steered

#: The name of the strategy that makes each injection, and each two, under the plain schedule.
SWEEP: Final = "sweep"

#: The most places at which a drawn run injects.
_PLACES_MAX: Final = 2
#: A sweep ends within so many seeds, those with free timers of a usual search, unless it would take more than half.
_SWEEP_IN: Final = 66
#: A drawn run may have more places than the plain one, by this factor.
_MORE: Final = 1.25
#: Multiples of the golden section, without their whole parts, are spread evenly.
_GOLDEN: Final = 0.618


class Plain:
    """The choice points of the plain run."""

    def __init__(self) -> None:
        #: Their widths, by lane.
        self.widths: dict[str, list[int]] = {}

    def choices(self) -> Choices:
        """The plain choices, which note the widths that they meet."""
        self.widths = {}
        return Choices(self._source)

    def _source(self, name: str) -> Source:
        met = self.widths[name] = []

        def zero(n: int) -> int:
            met.append(n)
            return 0

        return zero

    def steps(self) -> int:
        """The number of its choice points of the schedule."""
        return len(self.widths.get("schedule", ()))

    def interruptions(self) -> list[tuple[int, int]]:
        """The possible injections into it, each a place in the lane `faults` and the value there."""
        widths = self.widths.get("faults", ())
        return [(place, value) for place, n in enumerate(widths) for value in range(1, n)]

    def swept(self, seed: int, strategy: str) -> bool:
        """Whether the strategy is a sweep that was over before the run of this seed."""
        number = len(self.interruptions()) if strategy == SWEEP else 0
        return strategy == SWEEP and seed > number + number * (number - 1) // 2


def choices_of(seed: int, strategy: str, plain: Plain) -> Choices:
    """The choices of the run of a seed; the same in any batch of seeds.

    Seed 0 of the mix and of a sweep is the plain run, which fills `plain`; it is made before the others, if it is not
    among them.

    Parameters:
        strategy: MIX, SWEEP, or a name of STRATEGIES.
    """
    if seed == 0 and strategy in (MIX, SWEEP):
        return plain.choices()
    if strategy == SWEEP:
        return _swept(seed - 1, plain.interruptions())
    swept = plain.interruptions()
    if swept and seed % 2 and seed // 2 < len(swept):
        return _injecting(swept[seed // 2])
    drawn = steered(seed, strategy, plain.steps())
    if swept:
        drawn.replace_source("faults", _few(seed, len(plain.widths["faults"])))
    return drawn


def free_choices(seed: int, plain: Plain) -> Choices:
    """The choices of the run of a seed, where timers are free; the same in any batch of seeds."""
    swept = plain.interruptions()
    every = max(2, _SWEEP_IN // len(swept)) if swept else 2
    if swept and seed % every == 1:
        return _injecting(swept[seed // every * _stride(len(swept)) % len(swept)])
    drawn = steered(seed, list(STRATEGIES)[seed // 2 % len(STRATEGIES)], plain.steps())
    if swept:
        drawn.replace_source("faults", _few(seed, len(plain.widths["faults"])))
    return drawn


def _stride(number: int) -> int:
    """A step that reaches all of so many places, and soon some near each of them."""
    return next(step for step in range(int(number * _GOLDEN) or 1, number + 1) if gcd(step, number) == 1)


def _swept(number: int, single: list[tuple[int, int]]) -> Choices:
    """The injection of this number, or two of them: the pairs that are one apart in the list, two apart, and so on."""
    if number < len(single):
        return _injecting(single[number])
    number, apart = number - len(single), 1
    while number >= len(single) - apart:
        number, apart = number - (len(single) - apart), apart + 1
    return _injecting(single[number], single[number + apart])


def _injecting(*injections: tuple[int, int]) -> Choices:
    """The plain run with these injections, in the order of their places; of two at one place the last counts."""
    values = [0] * (injections[-1][0] + 1)
    for place, value in injections:
        values[place] = value
    return Choices.listed({"faults": values})


def _few(seed: int, places: int) -> Source:
    """A source that differs from 0 at one or two places."""
    rand = random.Random(f"loopspec {seed} interrupt").random
    number = 1 + int(rand() * _PLACES_MAX)
    chosen = {int(rand() * places * _MORE) for _ in range(number)}
    count = -1

    def source(n: int) -> int:
        nonlocal count
        count += 1
        return 1 + int(rand() * (n - 1)) if count in chosen else 0

    return source


__all__ = ["MIX", "STRATEGIES", "SWEEP", "Plain", "choices_of", "free_choices"]
