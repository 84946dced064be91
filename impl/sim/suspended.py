"""The line of the program at which a task is suspended, of any runtime."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import Any

from ..tasks.generators import as_coroutine
from .frames import programs
from .holders import frame_of, parts

# Any in this file: tasks of any runtime, and their coroutines.


def coro_of(task: Any) -> Any:
    """Its coroutine."""
    return task.get_coro() if hasattr(task, "get_coro") else task.coro


def frames_of(task: Any) -> list[FrameType]:
    """The frames of a suspended task, outermost first; none: it has ended, or its coroutine shows none."""
    chain = parts(coro_of(task), as_coroutine.__code__)
    return [frame for frame in map(frame_of, chain) if frame is not None]


def place_of(frames: Sequence[FrameType]) -> tuple[str, int]:
    """The file and the line of the program at which a task is suspended; "" and 0: it has not begun, or has ended."""
    number = programs(frames)
    if number is None or frames[0].f_lasti < 0 or not _begun(frames[0]):
        return "", 0
    return frames[number].f_code.co_filename, frames[number].f_lineno


def _begun(frame: FrameType) -> bool:
    return frame.f_lineno != frame.f_code.co_firstlineno
