"""The budget of a test: numbers of programs, not seconds, so that each machine plays the same programs.

The time of a test may be limited as well; a test that is stopped by that, or by Ctrl-C, is *unfinished*.
"""

import time
from dataclasses import dataclass, field
from typing import Final

#: The default numbers: programs of the enumeration, random programs, programs that look for leaks, examples of each
#: state machine.
INTERLEAVINGS: Final = 6000
RUNS: Final = 300
LEAKS: Final = 60
EXAMPLES: Final = 20


@dataclass
class Budget:
    """The limits of a test.

    Parameters:
        scale: a factor for the default numbers.
        runs: the number of random programs, if not the default.
        seconds: after which the test stops unfinished, if at all.
    """

    scale: int = 1
    runs: int | None = None
    seconds: float | None = None
    unfinished: str = field(default="", init=False)  #: why the test is unfinished, if it is

    def __post_init__(self) -> None:
        self._end = None if self.seconds is None else time.monotonic() + self.seconds

    @property
    def interleavings(self) -> int:
        """How many programs of the enumeration are played."""
        return INTERLEAVINGS * self.scale

    @property
    def random(self) -> int:
        """How many random programs are played."""
        return RUNS * self.scale if self.runs is None else self.runs

    @property
    def leaks(self) -> int:
        """How many programs look for leaks."""
        return LEAKS * self.scale

    @property
    def examples(self) -> int:
        """How many examples each state machine runs."""
        return EXAMPLES * self.scale

    def spent(self) -> bool:
        """Return whether the test must stop, and note why."""
        if self._end is not None and time.monotonic() > self._end:
            self.unfinished = f"stopped after {self.seconds:g} seconds"
        return bool(self.unfinished)
