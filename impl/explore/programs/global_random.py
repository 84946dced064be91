"""The module random, in the state of a new run for each run of a search."""

from __future__ import annotations

import random

from ...sim import entropy


class GlobalRandom:
    """Gives each run the module random in the state of a new run.

    To set the state costs more than a short run.  So it is set only once a run has used it: after each run the next
    number must be the one that a second generator gives.
    """

    def __init__(self) -> None:
        """The state now is that of a new run."""
        self._state = random.getstate()
        self._twin = random.Random()
        self._twin.setstate(self._state)
        self._resets = False

    def reset(self) -> None:
        """Set the state of a new run, whatever the run before has used."""
        random.setstate(self._state)

    def used(self) -> bool:
        """Prepare the next run; returns whether the run before is the first that used the generator."""
        first = not self._resets and random.random() != self._twin.random()
        if first:
            self._resets = True
        if self._resets:
            random.setstate(self._state)
        entropy.begin(0)
        return first
