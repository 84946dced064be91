"""Wrong queues: each takes the place of one of asyncio's, with one defect."""

from __future__ import annotations

import asyncio
from typing import Any

from .._parts import LifoQueue, PriorityQueue, Queue, wait_in_line

_QueueShutDown: Any = getattr(asyncio, "QueueShutDown", asyncio.QueueEmpty)


class LosesGetWakeup(Queue):
    """A queue with a get() that keeps a wake-up to itself when it is cancelled before it can use it.

    Breaks asyncio-queue, Queue.get(): "Remove and return an item from the queue. If queue is empty, wait
    until an item is available."
    """

    async def get(self) -> Any:
        while self.empty():
            if getattr(self, "_is_shutdown", False):
                raise _QueueShutDown
            await wait_in_line(self._getters)
        return self.get_nowait()


class PutRaisesFull(Queue):
    """A queue with a put() that looks only once whether the queue is full, and not again after its wake-up.

    Breaks asyncio-queue, Queue.put(): "If the queue is full, wait until a free slot is available before
    adding the item."
    """

    async def put(self, item: Any) -> None:
        if self.full():
            if getattr(self, "_is_shutdown", False):
                raise _QueueShutDown
            await wait_in_line(
                self._putters, lambda woken: woken and not self.full() and self._wakeup_next(self._putters)
            )
        self.put_nowait(item)


class _ClearsOnce(asyncio.Event):
    def __init__(self) -> None:
        super().__init__()
        self._was_cleared = False

    def clear(self) -> None:
        if not self._was_cleared:
            self._was_cleared = True
            super().clear()


class JoinsOnce(Queue):
    """A queue with a join() that waits for the first round of items only.

    Breaks asyncio-queue, Queue.join(): "Block until all items in the queue have been received and
    processed."
    """

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._finished = _ClearsOnce()
        self._finished.set()


class NegativeIsFull(Queue):
    """A queue that takes only a maxsize of 0, and no negative one, as infinite.

    Breaks asyncio-queue, Queue: "If maxsize is less than or equal to zero, the queue size is infinite."
    """

    def full(self) -> bool:
        if self.maxsize == 0:
            return False
        return bool(self.qsize() >= self.maxsize)


class SiftsLeftOnly(PriorityQueue):
    """A priority queue whose heap looks only at the left child when an item sinks.

    Breaks asyncio-queue, PriorityQueue: "retrieves entries in priority order (lowest first)."
    """

    def _get(self) -> Any:
        heap: list[Any] = self._queue
        last = heap.pop()
        if not heap:
            return last
        lowest, heap[0] = heap[0], last
        at = 0
        while (left := 2 * at + 1) < len(heap) and heap[left] < heap[at]:
            heap[at], heap[left] = heap[left], heap[at]
            at = left
        return lowest


class RemovesFirstEqual(LifoQueue):
    """A LIFO queue that returns the newest item, but takes out the oldest one that is equal to it.

    Breaks asyncio-queue, LifoQueue: "retrieves most recently added entries first (last in, first out)."
    """

    def _get(self) -> Any:
        item = self._queue[-1]
        self._queue.remove(item)
        return item
