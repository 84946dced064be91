"""The clock of a loop of another maker: its time jumps, and nothing is set on the loop.

A loop of asyncio's kind asks the module `time` of asyncio.base_events for the time, and waits in a selector that it
makes when it is made itself.  Both are replaced there, and the loop is left as it is.  A loop that has a clock or a
selector of its own keeps it.  A process that plays programs keeps the clock, which they read after their loop is
closed, too; `real_time` gives the real one back.
"""

import selectors
import time
from asyncio import base_events
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from ...programs.vectors.runtime import Clock

# Any in this file: a loop is of any class.

#: The classes of selectors that a platform has.
SELECTORS: Final = tuple(name for name in vars(selectors) if name.endswith("Selector") and name[:1] != "_")
#: How far the clock is moved to see whether a loop follows, in nanoseconds.
PROBE: Final = 7_000_000_000
MODULE: Final[Any] = base_events  # typeshed does not list its imports


class _Time:
    """In the place of the module `time`: one clock for all loops, which begins at 0 for each program."""

    now = 0  #: in nanoseconds
    due = 0.0  #: as of the clock

    def monotonic(self) -> float:
        return max(self.now / 1_000_000_000, self.due)

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


_TIME: Final = _Time()


class Shared(Clock):
    """A selector that moves the clock of all loops instead of waiting."""

    @property
    def now(self) -> int:
        return _TIME.now

    @now.setter
    def now(self, now: int) -> None:
        _TIME.now = now

    @property
    def due(self) -> float:
        return _TIME.due

    @due.setter
    def due(self, due: float) -> None:
        _TIME.due = due


def clocked(make: Callable[[], Any]) -> tuple[Any, Clock | None]:
    """Make a loop; return it with its clock, which is None, and real time goes on, if the loop has its own."""
    clocks: list[Shared] = []

    def selector(*given: Any) -> Shared:
        clocks.append(Shared())
        return clocks[-1]

    before = {name: getattr(selectors, name) for name in SELECTORS}
    _TIME.now, _TIME.due, MODULE.time = 0, 0.0, _TIME
    try:
        vars(selectors).update(dict.fromkeys(SELECTORS, selector))
        loop = make()
    finally:
        vars(selectors).update(before)
    if len(clocks) == 1 and follows(loop):
        clocks[0].loop = loop
        return loop, clocks[0]
    loop.close()
    MODULE.time = time
    return make(), None


def follows(loop: Any) -> bool:
    """Return whether the time of a loop moves with the clock."""
    began = loop.time()
    _TIME.now = PROBE
    moved: bool = loop.time() - began > 1
    _TIME.now = 0
    return moved


@contextmanager
def real_time() -> Iterator[None]:
    """Have asyncio's own loops read the real clock."""
    before, MODULE.time = MODULE.time, time
    try:
        yield
    finally:
        MODULE.time = before
