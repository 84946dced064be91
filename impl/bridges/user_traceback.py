"""Shorten a traceback to the lines of the program, which are those that its user can change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from traceback import FrameSummary, StackSummary, TracebackException

from ..sim.frames import FROZEN, is_installed, is_library


def shortened(error: BaseException) -> str:
    """The traceback of the error, as Python prints it, with the program's lines only; ends with a newline.

    Library frames (`sim/frames.py`) are left out of the error and of every error that it holds or was caused by
    (`__cause__`, `__context__`, the errors of a group).  A traceback without any line of the program keeps its last
    line.  Files below the current directory are named relative to it.
    """
    whole = TracebackException.from_exception(error)
    for each in _all(whole):
        own = [f for f in each.stack if not is_library(f.filename) and not is_installed(f.filename)]
        last = [f for f in each.stack[-1:] if not f.filename.startswith(FROZEN)]
        each.stack = StackSummary.from_list([_shown(frame) for frame in own or last])
    return "".join(whole.format())


def _shown(frame: FrameSummary) -> FrameSummary:
    here = os.path.join(os.getcwd(), "")
    return FrameSummary(frame.filename.removeprefix(here), frame.lineno, frame.name, line=frame.line)


def _all(error: TracebackException) -> Iterator[TracebackException]:
    """An error, those that caused it and those that it holds; they are a tree."""
    yield error
    for other in (error.__cause__, error.__context__, *(error.exceptions or ())):
        if other is not None:
            yield from _all(other)
