"""The numbers of loop iterations that a run may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: Iterations after which a run is looked at.
ITERATIONS: Final = 10_000
#: A search takes a run for unfinished after this many times as many.
_PATIENCE: Final = 100
#: A run by itself has so many: some tens of seconds.
_ALONE: Final = 1_000_000


@dataclass
class RunLimits:
    """After `iterations` a run is looked at (repetition.py), and after `most` it is unfinished."""

    iterations: int = ITERATIONS
    most: int = _PATIENCE * ITERATIONS

    @classmethod
    def of(cls, iterations: int) -> RunLimits:
        """The limits of a search that looks at a run after `iterations`."""
        return cls(iterations, _PATIENCE * iterations)

    @classmethod
    def of_one(cls, iterations: int = ITERATIONS) -> RunLimits:
        """The limits of a run by itself, which is looked at after `iterations`."""
        return cls(iterations, max(iterations, _ALONE))
