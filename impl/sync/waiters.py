"""Bound: the loop and the wait queues that Queue, Lock, Event, Condition, Semaphore and Barrier share.

A primitive may be made, and used without waiting, where no loop runs.  The first call that waits binds it to the
running loop; a later wait on another loop raises RuntimeError, because a future of one loop cannot wake a task of
another.  A waiter is a future of that loop in a wait queue, oldest first; creating it is all that is asked of the
loop.

However a wait ends, its waiter leaves the wait queue, so nothing of the task is kept (LEAK-2).

Source: CPython documentation of 3.15, "Synchronization Primitives" (their `loop` parameter went in 3.10), and
asyncio/mixins.py, where the binding happens in the first call that waits.
"""

from __future__ import annotations

from collections import deque

from ..interfaces import Maker, Waiter
from ..tasks.current import running_loop


class Bound:
    """A primitive, bound to the loop of its first waiter."""

    __slots__ = ("__weakref__", "_loop")

    def __init__(self) -> None:
        self._loop: Maker | None = None

    def _join_line(self, line: deque[Waiter]) -> Waiter:
        """Append a new waiter to a wait queue and return it.

        Raises:
            RuntimeError: no loop is running, or the primitive is bound to another.
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
    """Whether a waiter was woken: then it must use its wake-up or pass it on."""
    return waiter.done() and not waiter.cancelled()


def wake(line: deque[Waiter], n: int, result: object) -> None:
    """Wake the n oldest pending waiters with `result`; they stay in the wait queue until they run."""
    for waiter in line:
        if n <= 0:
            return
        if not waiter.done():
            waiter.set_result(result)
            n -= 1
