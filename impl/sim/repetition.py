"""Whether a run that does not end repeats itself: then it never ends, whatever it waits for.

A program that polls (`while left: await sleep(0.1)`) moves the clock, so the time says nothing.  After a number of loop
iterations (`RunLimits`), and after four times as many, and so on, the run is looked at for some iterations:

1.  Its choices are plain, so each ready item gets its turn.
2.  After each iteration its *state* is taken: all that can be reached from its tasks, its ready items, its timers (by
    the time that is left) and the module-level names of the code that ran, without the addresses (state.py).
3.  If it is the same as some iterations before, the same iterations follow again and again: a livelock.
4.  The look sees nothing if, meanwhile, the program reads the clock, or calls a function in C that may know more than
    the state shows: a file, the time of day.  Nor if the state is too large, or has an object in C that hides its own.

A run is never accused unless a look finds that; at the second limit it is *unfinished*.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Generator, Iterable
from types import CodeType, FrameType
from typing import Any, Final, Protocol

from ..errors import LivelockError, UnfinishedError
from . import entropy
from .choices import Choices
from .frames import coro_of, frames_of, is_library, place, programs
from .limits import RunLimits
from .state import State, harmless, is_quiet, state_of

# Any in this file: tasks of any runtime, and items of the ready queue.

#: The iterations of a look, and the objects of all its states: this number, or one for so many iterations.
_LOOK: Final = 256
_OBJECTS: Final = 10_000
_ITERATIONS_PER_OBJECT: Final = 4
#: Each look is at this many times as many iterations as the one before.
_APART: Final = 4
#: The lines that an error names.
_NAMED: Final = 3
#: Functions that read the virtual clock, and those through which a library offers it.
_CLOCKS: Final = ("VirtualClock.read", "Loop.time")
_READS: Final = ("_read", "time", "current_time", "clock", "gettime", "calendar", "text")


class Repeating(Protocol):
    """A kernel that runs."""

    choices: Choices | None
    now: int

    def alive(self) -> Iterable[Any]:
        """The tasks that are not done."""

    def outstanding(self) -> list[Any]:
        """The ready items, and each timer with the time that is left."""


def checked(run: Repeating, limits: RunLimits) -> Generator[int]:
    """After `limits.iterations` iterations: yield the numbers of further ones to run, one after the other.

    Raises:
        LivelockError: the run repeats itself.
        UnfinishedError: it has taken `limits.most` iterations, and it is not known whether it ends.
    """
    ran = upto = limits.iterations
    while True:
        with _Look(run, max(_OBJECTS, ran // _ITERATIONS_PER_OBJECT)) as look:
            for _ in range(_LOOK):
                if (period := look.period()) is not None:
                    same = f"{period} of them" if period > 1 else "one of them"
                    head = f"for ever {look.where()}: after {upto:,} loop iterations {same} again and again"
                    raise LivelockError(head)
                if look.blind:
                    break
                yield 1
                ran += 1
        if ran >= limits.most:
            raise UnfinishedError(f"not ended after {limits.most:,} loop iterations, {look.where()}")
        upto = max(ran + 1, min(_APART * upto, limits.most))
        yield upto - ran
        ran = upto


class _Look:
    """Some iterations of a run, observed by a profile function."""

    def __init__(self, run: Repeating, objects: int) -> None:
        self._run = run
        #: Whether it has seen enough to know that it will find nothing.
        self.blind = False
        self._left = objects
        self._taken = 0
        self._kept: tuple[int, State] | None = None
        self._stepped = False  # whether the program has run since then
        self._spaces: dict[int, dict[str, Any]] = {}
        self._codes: set[CodeType] = set()  # only asked for members
        self._lines: dict[str, None] = {}
        self._places: dict[str, None] = {}

    def __enter__(self) -> _Look:
        gc.collect()  # objects that only garbage holds do not decide when the run ends
        self._resume = None if self._run.choices is None else self._run.choices.pause()
        self._profile = sys.getprofile()
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._profile)
        if self._resume is not None:
            self._resume()

    def period(self) -> int | None:
        """Take the state; returns the number of iterations since it was the same, if it was."""
        sys.setprofile(None)
        self._suspended()
        run = self._run
        roots = [random.getstate()[1], entropy.generator(), *map(coro_of, run.alive()), *run.outstanding()]
        state = state_of([*roots, *self._spaces.values()], run.now, self._left)
        self.blind |= state is None
        if state is None or self.blind:
            return None
        self._left -= len(state.things)
        kept, self._taken = self._kept, self._taken + 1
        if kept is not None and self._stepped and state.equals(kept[1]):
            return self._taken - kept[0]
        if self._taken & (self._taken - 1) == 0:  # at 1, 2, 4, ...: so any period is found
            self._kept, self._stepped = (self._taken, state), False
        sys.setprofile(self._note)
        return None

    def where(self) -> str:
        """The lines at which the tasks that ran were suspended, or else the functions that ran."""
        if not self._lines and not self._places:  # it gave up before the program ran: all tasks
            self._codes.clear()
            self._suspended()
        lines = sorted(self._lines or self._places)
        more = f" and {len(lines) - _NAMED} more" if len(lines) > _NAMED else ""
        return ", ".join(lines[:_NAMED]) + more

    def _suspended(self) -> None:
        """Note where the tasks that have run are suspended: the same in any iteration of those that repeat."""
        for task in self._run.alive():
            frames = frames_of(task)
            at = programs(frames)
            if at is not None and _runs(frames[at]) and (not self._codes or frames[0].f_code in self._codes):
                self._lines[place(frames[at])] = None

    def _note(self, frame: FrameType, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "c_call":
            self.blind |= not (harmless(arg) or is_quiet(_caller(frame)))
        elif event == "call":
            self._codes.add(code)
            if code.co_qualname in _CLOCKS:
                self.blind |= not is_quiet(_reader(frame))
            elif _runs(frame):
                self._stepped = True
                self._spaces[id(frame.f_globals)] = frame.f_globals
        elif event == "return" and _runs(frame):
            self._places[place(frame)] = None


def _runs(frame: FrameType) -> bool:
    """Whether a frame is of the program, or of a library that is no runtime."""
    file = frame.f_code.co_filename
    return not is_library(file) and not is_quiet(file)


def _caller(frame: FrameType) -> str:
    """The file that a call comes from, through functions of the standard library."""
    back: FrameType | None = frame
    while back is not None and is_library(file := back.f_code.co_filename) and not is_quiet(file):
        back = back.f_back
    return "" if back is None else back.f_code.co_filename


def _reader(frame: FrameType) -> str:
    """The file of the function that reads the clock."""
    back = frame.f_back
    while back is not None and back.f_code.co_name in _READS and is_quiet(back.f_code.co_filename):
        back = back.f_back
    return "" if back is None else back.f_code.co_filename
