"""The loop that runs in this thread: how `sleep`, `Queue` and `Future()` find theirs without being told.

Theory of operation.  A loop enters itself while it runs and leaves afterwards (CPython documentation,
`asyncio.get_running_loop`); runs of several loops may nest, each sees its own.  One slot per thread.  Where none
of ours runs, `others` is asked, which knows of no other runtime until a bridge puts its own there: so `Queue` and
`gather` find the loop of that runtime.
"""

from __future__ import annotations

import threading
from typing import Any


class _Slot(threading.local):
    # Any: the loop of whoever runs, known here by no face; each caller asks only for its own.
    loop: Any = None


_slot = _Slot()


class Others:
    """What is known of the loops and futures of other runtimes: nothing.  A bridge derives from it."""

    def running_host(self) -> Any:  # Any: see _Slot
        """The host of another runtime's loop that runs in this thread, or None."""
        return None

    def usual_host(self) -> Any:  # Any: see _Slot
        """The host of what ensure_future, gather and the like make outside of a running loop, which nothing
        names: only a runtime that still has a loop for this has one.

        Raises:
            RuntimeError: there is none.
        """
        raise RuntimeError("no running event loop")

    def host_of(self, loop: Any) -> Any:  # Any: see _Slot
        """The host of `loop`: each of our loops is its own."""
        return loop

    def is_future(self, what: object) -> bool:
        """Whether it is a future, or a task, of another runtime."""
        return False


#: The one bridge that was imported last, if any.
others = Others()


def bridge(there: Others) -> None:
    """From now on `there` knows of another runtime's loops and futures."""
    global others
    others = there


def host_of(loop: Any) -> Any:  # Any: see _Slot
    """The host of `loop`, which is what `get_loop()` of a future says."""
    return others.host_of(loop)


def usual_loop() -> Any:  # Any: see _Slot
    """The loop that runs in this thread, or else what the runtime takes where none does.

    Raises:
        RuntimeError: there is none.
    """
    loop = running_loop_or_none()
    return others.usual_host() if loop is None else loop


def is_foreign_future(what: object) -> bool:
    """Whether it is a future, or a task, of another runtime that a bridge is there for."""
    return others.is_future(what)


def running_loop() -> Any:  # Any: see _Slot
    """The loop that runs in this thread.

    Raises:
        RuntimeError: none does (as asyncio.get_running_loop).
    """
    loop = _slot.loop
    if loop is None:
        loop = others.running_host()
        if loop is None:
            raise RuntimeError("no running event loop")
    return loop


def running_loop_or_none() -> Any:  # Any: see _Slot
    """The loop that runs in this thread, or None."""
    loop = _slot.loop
    return others.running_host() if loop is None else loop


def our_running_loop() -> Any:  # Any: see _Slot
    """The loop of ours that runs in this thread, or None: another runtime's is no obstacle to a run of ours."""
    return _slot.loop


def set_running_loop(loop: object) -> Any:  # Any: see _Slot
    """Make `loop` the running one of this thread; returns the one before, to be set again afterwards."""
    before, _slot.loop = _slot.loop, loop
    return before
