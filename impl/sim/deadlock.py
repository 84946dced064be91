"""The report of a program that cannot continue: every task, the line where it waits, and what it waits for.

A parked task's coroutine holds the chain of awaits from its own frame down to the future.  The report shows the
innermost line of the program (`frames.py`), and the method of impl or asyncio that waits (`Queue.get`) with its object.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FrameType
from typing import Any

from ..errors import DeadlockError, LivelockError
from ..tasks.generators import as_coroutine
from .frames import is_library, place, programs


def deadlock(tasks: Iterable[Any]) -> DeadlockError:  # Any: the Host face; ours or a bridge's tasks
    """The error that names every one of `tasks`, in order of creation."""
    return DeadlockError("\n  ".join(["nothing can ever happen any more", *(_wait(task) for task in tasks)]))


def livelock(tasks: Iterable[Any], turns: int) -> LivelockError:  # Any: as above
    """Likewise, for tasks that kept running for that many turns while the clock stood still."""
    head = f"{turns} turns have passed while the clock stood still"
    return LivelockError("\n  ".join([head, *(_wait(task) for task in tasks)]))


def _wait(task: Any) -> str:  # Any: as above
    frames = list(_frames(task.get_coro()))
    waiting = task.waits_for
    where = place(frames[programs(frames) or 0]) if frames else "has not begun"
    if waiting is None:
        return f"{task.get_name()} is ready {where}"
    return f"{task.get_name()} waits {where} for {_what(frames, waiting)}"


def _what(frames: list[FrameType], waiting: object) -> str:
    """The outermost method of a library, and its object; `async with lock` waits in what its `__aenter__` calls."""
    methods = [
        frame
        for frame in frames
        if is_library(frame.f_code.co_filename)
        and "self" in frame.f_locals
        and frame.f_locals["self"] is not waiting
    ]
    named = [frame for frame in methods if not frame.f_code.co_name.startswith("__")]
    for frame in named or methods:
        owner = frame.f_locals["self"]
        return f"{type(owner).__name__}.{frame.f_code.co_name} of {owner!r}"
    return repr(waiting)


def _frames(coro: Any) -> Iterable[FrameType]:  # Any: coroutine, generator, or what a class awaits with
    """The frames of a suspended coroutine, from its own down to the one that waits."""
    while coro is not None:
        frame = getattr(coro, "cr_frame", None) or getattr(coro, "gi_frame", None)
        if frame is not None:
            yield frame
            if frame.f_code is as_coroutine.__code__:  # it drives by `send`, and awaits what it was given
                yield from _frames(frame.f_locals["steps"])
                yield from _frames(frame.f_locals.get("got"))
                return
        coro = getattr(coro, "cr_await", None) or getattr(coro, "gi_yieldfrom", None)
