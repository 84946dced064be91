"""VirtualClock: the clock of a simulated run as its program reads it, which reports a program that polls it.

Virtual time passes only while every task waits, so `while time.monotonic() < end: pass` would never end, and neither
would the same loop with an `await asyncio.sleep(0)` in it.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Final

from ..errors import LivelockError
from ..sim.frames import place, programs
from ..sim.kernel import Kernel

#: Reads at one instant after which the program is said to poll: half a second of real time.
READS_MAX: Final = 1_000_000


class VirtualClock:
    """The clock of one kernel."""

    __slots__ = ("_instant", "_kernel", "_reads")

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._instant = 0  # at which `_reads` were counted
        self._reads = 0

    def read(self) -> int:
        """The virtual time in nanoseconds, from 0.

        Raises:
            LivelockError: it was read READS_MAX times since the time last changed.
        """
        now = self._kernel.now
        if now != self._instant:
            self._instant = now
            self._reads = 0
        self._reads += 1
        if self._reads > READS_MAX:
            raise LivelockError(
                f"the clock was read {READS_MAX:,} times while virtual time stood still at {now / 1e9:.6f} s, last "
                f"{_reader()}: virtual time passes only while every task waits, so a program that polls a clock "
                "never ends; await a sleep of some seconds instead"
            )
        return now


def _reader() -> str:
    """The line of the program that reads the clock."""
    frames: list[FrameType] = []
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        frames.insert(0, frame)
        frame = frame.f_back
    innermost = programs(frames)
    return place(frames[-1 if innermost is None else innermost])
