"""The loop that runs in this thread: how `sleep`, `Queue` and `Future()` find theirs without being told.

Theory of operation.  A loop enters itself while it runs and leaves afterwards (CPython documentation,
`asyncio.get_running_loop`); runs of several loops may nest, each sees its own.  One slot per thread.  Where none
of ours runs, `elsewhere` is asked: a bridge sets it, so that `Queue` and `gather` find the loop of another runtime.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class _Slot(threading.local):
    # Any: the loop of whoever runs, known here by no face; each caller asks only for its own.
    loop: Any = None


_slot = _Slot()


def nowhere() -> Any:  # Any: see _Slot
    """No other runtime is known."""
    return None


#: Finds the host of another runtime that runs in this thread, or None; a bridge replaces it.
elsewhere: Callable[[], Any] = nowhere


def itself(loop: Any) -> Any:  # Any: see _Slot
    """Each of our loops is its own host."""
    return loop


#: Finds the host of a loop, of ours or of another runtime's; a bridge replaces it.
of_loop: Callable[[Any], Any] = itself


def host_of(loop: Any) -> Any:  # Any: see _Slot
    """The host of `loop`, which is what `get_loop()` of a future says."""
    return of_loop(loop)


def none_runs() -> Any:  # Any: see _Slot
    """Outside of a running loop nothing says which loop is meant."""
    raise RuntimeError("no running event loop")


#: The host of what ensure_future, gather and the like make outside of a running loop; a bridge to an asyncio that
#: still has a loop for this (`asyncio.get_event_loop`) replaces it.
usual: Callable[[], Any] = none_runs


def usual_loop() -> Any:  # Any: see _Slot
    """The loop that runs in this thread, or else what the runtime takes where none does.

    Raises:
        RuntimeError: there is none.
    """
    loop = running_loop_or_none()
    return usual() if loop is None else loop


def not_ours(what: object) -> bool:
    """No other runtime's futures are known."""
    return False


#: Whether something is a future of another runtime; a bridge replaces it.
foreign_future: Callable[[object], bool] = not_ours


def is_foreign_future(what: object) -> bool:
    """Whether it is a future, or a task, of another runtime that a bridge is there for."""
    return foreign_future(what)


def running_loop() -> Any:  # Any: see _Slot
    """The loop that runs in this thread.

    Raises:
        RuntimeError: none does (as asyncio.get_running_loop).
    """
    loop = _slot.loop
    if loop is None:
        loop = elsewhere()
        if loop is None:
            raise RuntimeError("no running event loop")
    return loop


def running_loop_or_none() -> Any:  # Any: see _Slot
    """The loop that runs in this thread, or None."""
    loop = _slot.loop
    return elsewhere() if loop is None else loop


def our_running_loop() -> Any:  # Any: see _Slot
    """The loop of ours that runs in this thread, or None: another runtime's is no obstacle to a run of ours."""
    return _slot.loop


def set_running_loop(loop: object) -> Any:  # Any: see _Slot
    """Make `loop` the running one of this thread; returns the one before, to be set again afterwards."""
    before, _slot.loop = _slot.loop, loop
    return before
