"""A thread of the system that runs only while it holds the baton, which one thread passes to another.

1.  Each thread waits for the baton at a lock of its own: so one of them runs.  The user of this module decides which.
2.  A thread that is left at the end of a run is unwound: each call that would block raises ThreadEnded in it.  One that
    catches this again and again is abandoned: it stays blocked for ever.

`_thread.start_joinable_thread` (since CPython 3.13) and `_set_sentinel` (before) tell when the system's thread is gone;
destructors of its thread-locals have run then.
"""

from __future__ import annotations

import _thread
from collections.abc import Callable
from typing import Any, Final

# Any in this file: functions of _thread that not each Python has, and the locks and handles that they return.

#: How often a thread may catch ThreadEnded before it is abandoned.
ENDINGS_MAX: Final = 100
_allocate: Final = _thread.allocate_lock
_start: Final[Callable[..., Any]] = getattr(_thread, "start_joinable_thread", _thread.start_new_thread)
_JOINABLE: Final = hasattr(_thread, "start_joinable_thread")
_sentinel: Final[Callable[[], Any]] = getattr(_thread, "_set_sentinel", _allocate)


class ThreadEnded(BaseException):
    """The run has ended: this unwinds a thread that is left.  `except Exception` does not catch it."""


class BatonThread:
    """A thread that can hold the baton; one that is never spawned stands for the thread that created it."""

    def __init__(self) -> None:
        #: Whether the run has ended: each call that would block raises ThreadEnded.
        self.ending = False
        self.abandoned = False
        self._endings = 0
        self._ended = False
        self._baton = _allocate()
        self._baton.acquire()
        #: Waits until the system's thread is gone, after this has ended.
        self.wait_gone: Callable[[], object] = bool

    def done(self) -> bool:
        return self._ended

    def over(self) -> BatonThread:
        """Called when it has ended, or is abandoned; returns the thread that gets the baton."""
        raise NotImplementedError

    def spawn(self, call: Callable[[], object]) -> None:
        """Start the system's thread, which makes a call when it gets the baton for the first time."""
        started = _start(lambda: self._live(call), *(() if _JOINABLE else ((),)))
        if _JOINABLE:
            self.wait_gone = started.join

    def _live(self, call: Callable[[], object]) -> None:
        if not _JOINABLE:
            gone = _sentinel()
            gone.acquire()
            self.wait_gone = lambda: gone.acquire() and gone.release()
        try:
            self.pass_to(None)
            call()
        except ThreadEnded:
            pass
        finally:
            self._ended = True
            self.over()._baton.release()

    def pass_to(self, other: BatonThread | None, seconds: float = -1) -> bool:
        """Pass the baton, in the thread that holds it, and wait to get it back.

        Parameters:
            other: gets the baton; None: another thread holds it.
            seconds: the most real time; returns False if it takes more.

        Raises:
            ThreadEnded: the run has ended.
        """
        if other is not None:
            other._baton.release()
        received = self._baton.acquire(True, seconds)
        if self.ending:
            self.check()
        return received

    def check(self) -> None:
        """Raise ThreadEnded if the run has ended."""
        if self.ending:
            self._endings += 1
            if self._endings > ENDINGS_MAX:
                self.abandoned = True
                self.pass_to(self.over())  # for ever
            raise ThreadEnded
