"""Bound: what Queue, Lock, Event, Condition, Semaphore and Barrier share, a loop and lines of waiters.

Theory of operation.  A primitive may be made, and used without waiting, where no loop runs.  The first time that
somebody waits it binds itself to the loop that runs then; who waits on another loop afterwards gets a
RuntimeError, because a future of one loop cannot wake a task of another.  A waiter is a future of that loop in a
line, oldest first; of the loop nothing more is asked than to make it.

Source: CPython documentation of 3.13, "Synchronization Primitives" (their `loop` parameter went in 3.10), and
asyncio/mixins.py, where the binding happens in the first call that waits.
"""

from __future__ import annotations

from collections import deque

from ..interfaces import Maker, Waiter
from ..tasks.current import running_loop


class Bound:
    """Bound to the loop on which somebody first waited."""

    __slots__ = ("__weakref__", "_loop")

    def __init__(self) -> None:
        self._loop: Maker | None = None

    def _join_line(self, line: deque[Waiter]) -> Waiter:
        """A future to wait for, at the end of that line.

        Raises:
            RuntimeError: no loop is running, or another than the one to which this is bound.
        """
        loop: Maker = running_loop()
        if self._loop is not loop:
            self._bind(loop)
        waiter = loop.create_future()
        line.append(waiter)
        return waiter

    def _bind(self, loop: Maker) -> None:
        if self._loop is not None:
            raise RuntimeError(f"{self!r} is bound to a different event loop")
        self._loop = loop


def woken(waiter: Waiter) -> bool:
    """Whether that waiter was told to go on: what it was told is its to use, or to hand on."""
    return waiter.done() and not waiter.cancelled()


def wake(line: deque[Waiter], n: int, told: object) -> None:
    """Wake the n oldest that still wait, and have them stay in line until they run."""
    for waiter in line:
        if n <= 0:
            return
        if not waiter.done():
            waiter.set_result(told)
            n -= 1
