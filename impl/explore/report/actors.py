"""Tasks and callbacks, as a recorder asks about them: nothing that it asks changes a run."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import partial
from types import FrameType
from typing import Any, Final

from ...sim.frames import is_library, is_users, shown_file, variables_of
from ...sim.outcome import described
from ..choices.strategies import actor

# Any in this file: items of the ready queue, and tasks of any runtime.

_PRIMITIVES: Final = frozenset(
    {"Lock", "Semaphore", "BoundedSemaphore", "Event", "Condition", "Barrier"} | {"Queue", "LifoQueue", "PriorityQueue"}
)


def callback_of(item: Any) -> tuple[str, str] | None:
    """The name of the function that a plain callback calls, and its line; None: it is of the library."""
    handle = handle_of(item)
    fn = inspect.unwrap(getattr(handle, "fn", None) or getattr(handle, "_fn", None) or handle)
    while isinstance(fn, partial):
        fn = fn.func
    code = getattr(getattr(fn, "__func__", fn), "__code__", None)
    if code is not None and is_library(code.co_filename):
        return None
    name = getattr(fn, "__qualname__", type(fn).__name__).rpartition(".")[2]
    return name, "" if code is None else f"{shown_file(code.co_filename)}:{code.co_firstlineno}"


def handle_of(item: Any) -> Any:
    """The handle of a plain callback."""
    return item[1] if isinstance(item, tuple) else item


def is_timeout(timer: Any) -> bool:
    """Whether a timer calls a function of a library, as a timeout does; no function of the user's, and no `sleep`."""
    fn = getattr(timer, "fn", None) or getattr(timer, "_fn", None)
    code = getattr(getattr(fn, "__func__", fn), "__code__", None)
    return code is not None and not timer.only_wakes and not is_users(code.co_filename)


def is_cancelled(item: Any) -> bool:
    """Whether the future that woke the task of an item was cancelled."""
    if not isinstance(item, tuple):
        return False
    waker = item[3] if item[3] is not None else getattr(actor(item), "waits_for", None)
    cancelled = getattr(waker, "cancelled", None)
    return cancelled is not None and bool(cancelled())


def how_ended(task: Any) -> str:
    if task.cancelled():
        return "is cancelled"
    error, _ = failure_of(task)
    return "ends" if error is None else f"raises {described(error)}"


def failure_of(task: Any) -> tuple[BaseException | None, bool]:
    """The error of a task that is done, and whether something has retrieved it; a task of a class of the program's
    does not say, so this does.
    """
    if task.cancelled():
        return None, True
    found: tuple[BaseException | None, bool] = getattr(task, "failure", None) or (task.exception(), True)
    return found


def primitive_of(frames: Sequence[FrameType]) -> Any | None:
    """The primitive with the method that the task waits in."""
    for frame in frames:
        owner = variables_of(frame).get("self")
        if is_library(frame.f_code.co_filename) and type(owner).__name__ in _PRIMITIVES:
            return owner
    return None
