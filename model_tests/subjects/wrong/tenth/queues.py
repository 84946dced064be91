"""Wrong queues."""

from __future__ import annotations

import asyncio
import bisect
from typing import Any

from .._parts import LifoQueue, PriorityQueue, Queue, wait_in_line

_QueueShutDown: Any = getattr(asyncio, "QueueShutDown", RuntimeError)  # there is none before 3.13


class JoinsAgain(Queue):
    """A queue whose released join waits on if an item was put before it runs, as that of threads does.

    Breaks "When the count of unfinished tasks drops to zero, join() unblocks" (Queue.join)."""

    async def join(self) -> None:
        while self._unfinished_tasks:
            await self._finished.wait()


class ForgetsWhatIsHeld(Queue):
    """A queue whose immediate shutdown also counts those items as done that workers have taken.

    Breaks "unfinished tasks is reduced by the number of drained tasks" (Queue.shutdown, its docstring)."""

    def shutdown(self, immediate: bool = False) -> None:
        super().shutdown(immediate)
        if immediate:
            self._unfinished_tasks = 0
            self._finished.set()


class ShutsDownOnce(Queue):
    """A queue that is shut down already ignores an immediate shutdown.

    Breaks "If immediate is true, [...] the queue is drained to be completely empty" (Queue.shutdown)."""

    def shutdown(self, immediate: bool = False) -> None:
        if not self._is_shutdown:
            super().shutdown(immediate)


class ComparesFirstParts(PriorityQueue):
    """A priority queue that compares the first parts of entries only, so equal ones leave in the order of puts.

    Breaks "retrieves entries in priority order (lowest first)" (PriorityQueue)."""

    def _put(self, item: Any) -> None:
        bisect.insort(self._queue, item, key=lambda entry: entry[0] if isinstance(entry, tuple) else entry)

    def _get(self) -> Any:
        return self._queue.pop(0)


class LatePutsGoBelow(LifoQueue):
    """A stack on which an item whose put had to wait goes below all others.

    Breaks "retrieves most recently added entries first (last in, first out)" (LifoQueue)."""

    async def put(self, item: Any) -> None:
        waits = self.full()
        await super().put(item)
        if waits:
            self._queue.insert(0, self._queue.pop())


class PutsWhatWaited(Queue):
    """A queue whose putter that waited when it was shut down adds its item, if there is room then.

    Breaks "Currently blocked callers of put() will be unblocked and will raise QueueShutDown" (Queue.shutdown)."""

    async def put(self, item: Any) -> None:
        refused = self._is_shutdown
        try:
            await super().put(item)
        except _QueueShutDown:
            if refused or self.full():
                raise
            self._put(item)
            self._unfinished_tasks += 1
            self._finished.clear()
            self._wakeup_next(self._getters)


class WokenGettersGiveUp(Queue):
    """A queue whose woken getter raises QueueShutDown if there was a shutdown, though it was woken for an item.

    Breaks "the queue can be wound down normally with get() calls to extract tasks" (Queue.shutdown)."""

    async def get(self) -> Any:
        getters = self._getters
        while self.empty() and not self._is_shutdown:
            await wait_in_line(getters, lambda woken: woken and self.qsize() and self._wakeup_next(getters))
            if self._is_shutdown:
                raise _QueueShutDown
        return self.get_nowait()


class WakesOnlyWhenFull(Queue):
    """A queue whose get wakes a putter only if the queue was full: two gets in a row free two places for one.

    Breaks "If the queue is full, wait until a free slot is available before adding the item" (Queue.put)."""

    def _wakeup_next(self, waiters: Any) -> None:
        if waiters is not self._putters or self.qsize() == self.maxsize - 1:
            super()._wakeup_next(waiters)
