"""The ends of a run besides that of the program: numbers of loop iterations, and an error that nothing handles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ..errors import CallbackError
from .outcome import described

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
    #: Whether a run ends with the first error of a callback, if the program has no exception handler.
    strict: bool = False

    def check(self, what: dict[str, Any]) -> None:  # Any: asyncio's context dict
        """An error is to be reported, and there is no handler.

        Raises:
            CallbackError: the run ends with it.  A cancelled future that a callback reads is no error.
        """
        error = what.get("exception")
        if self.strict and "handle" in what and isinstance(error, Exception):
            raise CallbackError(described(error)).with_traceback(error.__traceback__) from error

    @classmethod
    def of(cls, iterations: int) -> RunLimits:
        """The limits of a search that looks at a run after `iterations`."""
        return cls(iterations, _PATIENCE * iterations, strict=True)

    @classmethod
    def of_one(cls, iterations: int = ITERATIONS) -> RunLimits:
        """The limits of a run by itself, which is looked at after `iterations`."""
        return cls(iterations, max(iterations, _ALONE))
