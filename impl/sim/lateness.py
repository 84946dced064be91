"""Lateness without a number: a timer that is due may be late by the distances of the other timers.

Whether a timer comes before another one is all that most programs can see of its lateness.  So a timer of the program
that is due while others are pending draws one of: it is on time; it comes just after the next timer; with that one, in
an order that is drawn; just after the last one.  Where no other is pending, it may take twice its time.  A timer is
late once.

A timer is free only if a line of the user's leads to the call that sets it, or a task is a mere `sleep`: the timers of
a library's own tasks, such as the time after which a server closes a silent connection, say nothing about the program.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from types import FrameType
from typing import Final

from ..interfaces import Runnable
from .choices import Choices, Freedom
from .frames import is_installed, is_users

#: The draws besides 0, on time, and 1, after the next timer.
_TIED, _LAST = 2, 3
#: trio's clock, which alone knows its timers, is late by the time since it moved last, so many times.
_TIMES: Final = (0, 1, 4, 20)
_is_installed: Final = cache(is_installed)


class Lateness:
    """The timers that are free.

    Parameters:
        choices: the source of the draws.
        loop: the source file of the code that runs the steps of tasks.
    """

    __slots__ = ("_loop", "choices", "free")

    def __init__(self, choices: Choices, loop: str) -> None:
        self.choices = choices
        self._loop = loop
        #: Those that may still be late, each with the time at which it was set.
        self.free: dict[Runnable, int] = {}

    def add(self, target: Runnable, now: int) -> None:
        """Note a timer that the caller of the caller sets."""
        if self._is_of_users(sys._getframe(2), target.only_wakes):
            self.free[target] = now

    def _is_of_users(self, frame: FrameType | None, sleeps: bool) -> bool:
        """Whether a line of the user's leads to a frame, or, if it `sleeps`, none of an installed package."""
        while frame is not None and (file := frame.f_code.co_filename) != self._loop:
            if is_users(file):
                return True
            sleeps = sleeps and not _is_installed(file)
            frame = frame.f_back
        return sleeps

    def postponed(self, when: int, target: Runnable, others: Sequence[tuple[int, int, Runnable]]) -> int | None:
        """The time at which a timer that is due at `when` comes, in virtual nanoseconds; None: it is on time.

        Parameters:
            others: the pending timers, each with its time.
        """
        begun = self.free.pop(target, None)
        if begun is None or target.dead():
            return None
        drawn = self.choices.faults(min(2 + len(others), 4))
        if not drawn:
            return None
        live = [(time, number, other) for time, number, other in others if not other.dead()]
        after = [entry for entry in live if entry[0] > when] or live
        if not after:
            self.choices.tell(Freedom.LATE, target)
            return when + max(when - begun, 1)
        time, _, other = max(after) if drawn == _LAST else min(after)
        self.choices.tell(Freedom.TIED if drawn == _TIED else Freedom.LATE, target, other)
        return max(time, when) + (drawn != _TIED)

    def of_clock(self, now: int, when: int) -> int:
        """The new time of a clock that would move from `now` to `when`, in virtual nanoseconds."""
        if when <= now:
            return when
        late = (when - now) * _TIMES[self.choices.faults(len(_TIMES))]
        if late:
            self.choices.tell(Freedom.CLOCK, late / 1e9)
        return when + late
