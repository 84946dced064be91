"""The loop that runs in this thread, which `sleep`, `Queue` and `Future()` look up.

A loop enters itself while it runs and leaves afterwards (CPython documentation, `asyncio.get_running_loop`); runs of
several loops may nest, each sees its own.  There is one slot per thread.  Where no loop of ours runs, `others` is
asked, which knows no other runtime until a bridge registers its own: then `Queue` and `gather` find the loop of that
runtime.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

# Any: a loop, a host or a future of any runtime; each caller uses only the interface of its own.
AnyLoop = Any


class _Slot(threading.local):
    loop: AnyLoop = None


_slot = _Slot()


class ForeignRuntime:
    """The loops and futures of other runtimes; this class knows none.  A bridge derives from it."""

    def running_host(self) -> AnyLoop:
        """The host of another runtime's loop that runs in this thread, or None."""
        return None

    def usual_host(self) -> AnyLoop:
        """The host for ensure_future, gather and the like where no loop runs.

        Raises:
            RuntimeError: there is none.
        """
        raise RuntimeError("no running event loop")

    def host_of(self, loop: AnyLoop) -> AnyLoop:
        """The host of `loop`: each of our loops is its own."""
        return loop

    def is_future(self, what: object) -> bool:
        """Whether it is a future, or a task, of another runtime."""
        return False

    def callbacks(self, future: AnyLoop) -> Iterable[Callable[..., object]]:
        """The callbacks of a future of another runtime."""
        return ()

    def waits_for(self, what: object) -> AnyLoop:
        """The future that it is parked on, if it is a task of another runtime; else None."""
        return None


#: The bridge that was imported last, if any.
foreign = ForeignRuntime()


def register_runtime(there: ForeignRuntime) -> None:
    """Register the loops and futures of another runtime."""
    global foreign
    foreign = there


def host_of(loop: AnyLoop) -> AnyLoop:
    """The host of `loop`, a value of `get_loop()` of a future."""
    return foreign.host_of(loop)


def usual_loop() -> AnyLoop:
    """The loop that runs in this thread, or else the usual one of the runtime.

    Raises:
        RuntimeError: there is none.
    """
    loop = running_loop_or_none()
    return foreign.usual_host() if loop is None else loop


def is_foreign_future(what: object) -> bool:
    """Whether it is a future, or a task, of the registered runtime."""
    return foreign.is_future(what)


def running_loop() -> AnyLoop:
    """The loop that runs in this thread.

    Raises:
        RuntimeError: no loop runs (as asyncio.get_running_loop).
    """
    loop = _slot.loop
    if loop is None:
        loop = foreign.running_host()
        if loop is None:
            raise RuntimeError("no running event loop")
    return loop


def running_loop_or_none() -> AnyLoop:
    """The loop that runs in this thread, or None."""
    loop = _slot.loop
    return foreign.running_host() if loop is None else loop


def our_running_loop() -> AnyLoop:
    """The loop of ours that runs in this thread, or None, even while a loop of another runtime runs."""
    return _slot.loop


def set_running_loop(loop: object) -> AnyLoop:
    """Make `loop` the running one of this thread; return the previous one, to be set again afterwards."""
    before, _slot.loop = _slot.loop, loop
    return before
