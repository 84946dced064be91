"""Whether a run is importing a module: that uses the system once in a process, not once in a run, and is exempt."""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Final

from ...sim.kernel import Kernel

#: The functions that run a program; an import further up the stack is not the program's.
_FLOORS: Final = [Kernel.run_turns.__code__, Kernel.run_until.__code__]


def importing_ends_at(code: CodeType) -> None:
    """Register the function that runs a guest's programs."""
    _FLOORS.append(code)


def importing() -> bool:
    """Whether the program of the run in this thread is importing a module."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code not in _FLOORS:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False
