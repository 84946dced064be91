"""Wrong queues: unfinished tasks, join() and (from Python 3.13 on) shutdown()."""

from __future__ import annotations

import sys
from typing import Any

from ._parts import Queue


class JoinsWhenEmpty(Queue):
    """A queue whose join() returns when all items were fetched, processed or not.

    Breaks asyncio-queue, Queue.join(): "Block until all items in the queue have been received and processed."
    """

    def get_nowait(self) -> Any:
        item = super().get_nowait()
        if self.empty():
            self._finished.set()
        return item

    async def join(self) -> None:
        if not self.empty():
            await self._finished.wait()


class CountsAtGet(Queue):
    """A queue whose count of unfinished tasks goes up when an item is fetched.

    Breaks asyncio-queue, Queue.join(): "The count of unfinished tasks goes up whenever an item is added to the queue."
    """

    def put_nowait(self, item: Any) -> None:
        super().put_nowait(item)
        self._unfinished_tasks -= 1
        if not self._unfinished_tasks:
            self._finished.set()

    def get_nowait(self) -> Any:
        item = super().get_nowait()
        self._unfinished_tasks += 1
        self._finished.clear()
        return item


class TaskDoneNeverFails(Queue):
    """A queue whose task_done() may be called too often.

    Breaks asyncio-queue, Queue.task_done(): "Raises ValueError if called more times than there were items placed in the
    queue."
    """

    def task_done(self) -> None:
        if self._unfinished_tasks > 0:
            super().task_done()


class OneJoinerGoesOn(Queue):
    """A queue that lets one of several tasks in join() go on.

    Breaks asyncio-queue, Queue.join(): "When the count of unfinished tasks drops to zero, join() unblocks."
    """

    _joining = 0

    async def join(self) -> None:
        if self._unfinished_tasks:
            self._joining += 1
            place = self._joining
            await self._finished.wait()
            if place > 1:
                await self._get_loop().create_future()


class JoinMissesANewItem(Queue):
    """A queue whose task_done() releases join() at every call.

    Breaks asyncio-queue, Queue.task_done(): "If a join() is currently blocking, it will resume when all items have been
    processed (meaning that a task_done() call was received for every item that had been put() into the queue)."
    """

    def task_done(self) -> None:
        super().task_done()
        self._finished.set()


if sys.version_info >= (3, 13):

    class ShutdownDropsItems(Queue):
        """A queue whose shutdown() drops the items, immediate or not.

        Breaks asyncio-queue, Queue.shutdown(): "By default, gets will only raise once the queue is empty" (docstring).
        """

        def shutdown(self, immediate: bool = False) -> None:
            super().shutdown(immediate=True)

    class ShutdownLeavesPutters(Queue):
        """A queue whose shutdown() leaves blocked putters blocked.

        Breaks asyncio-queue, Queue.shutdown(): "All blocked callers of put() and get() will be unblocked."
        """

        def shutdown(self, immediate: bool = False) -> None:
            putters, self._putters = self._putters, type(self._putters)()
            super().shutdown(immediate)
            self._putters = putters

    class ShutdownKeepsJoin(Queue):
        """A queue whose shutdown(immediate=True) does not mark the dropped items as done.

        Breaks asyncio-queue, Queue.shutdown(): "If 'immediate', a task is marked as done for each item remaining in the
        queue, which may unblock callers of join()" (docstring).
        """

        def shutdown(self, immediate: bool = False) -> None:
            unfinished = self._unfinished_tasks
            super().shutdown(immediate)
            self._unfinished_tasks = unfinished
            if unfinished:
                self._finished.clear()

    class ShutdownLetsPutNowait(Queue):
        """A queue that put_nowait() still fills after shutdown().

        Breaks asyncio-queue, Queue.put_nowait(): "Raises QueueShutDown if the queue has been shut down."
        """

        def put_nowait(self, item: Any) -> None:
            shut, self._is_shutdown = self._is_shutdown, False
            try:
                super().put_nowait(item)
            finally:
                self._is_shutdown = shut
