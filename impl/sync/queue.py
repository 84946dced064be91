"""Queue, LifoQueue and PriorityQueue: items handed from task to task, with a bound and a count of unfinished items.

A queue keeps no item that was taken, and nothing of a task that has left it (LEAK-1).

1.  Items leave in the order of their puts (QUEUE-1); `maxsize` > 0 bounds their number (QUEUE-2).
2.  A getter waits in a wait queue while the queue is empty, a putter in another while it is full; each is woken oldest
    first (QUEUE-3).  A wake-up is an invitation, not an item: a running task may take the item before the woken getter
    runs, which then waits again, at the end of the wait queue (QUEUE-4).
3.  A waiter that is woken and then cancelled before it runs passes its wake-up on to the next waiter.  Otherwise an
    item would lie in the queue while a getter waits for one (QUEUE-5).
4.  `put` adds one to the count of unfinished items, `task_done` takes one away; at zero every `join` is released
    (QUEUE-6).  The count may rise and fall again: join re-arms (QUEUE-7).  One `task_done` too many raises ValueError
    and changes nothing (QUEUE-8).
5.  After `shutdown` put raises, and get returns the items that are left (QUEUE-30); an immediate shutdown discards
    them, as if each had been got and done (QUEUE-31).  All waiting getters and putters wake up and check again
    (QUEUE-32).

A queue of another order replaces the storage of items and nothing else, so no subclass can forget to count or to wake
(asyncio#235: a put that did not count).  The functions that add and take an item are looked up once, when the queue is
made: no method call stands between `put_nowait` and the deque, nor a test for shutdown.

Names and meanings are those of `asyncio.Queue` (CPython documentation of 3.15, "Queues").
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from typing import Any, ClassVar, Generic, TypeVar

from ..errors import QueueEmpty, QueueFull, QueueShutDown
from ..interfaces import Item, Maker, Observer, Waiter
from ..tasks.current import running_loop_or_none
from .waiters import Bound, woken

T = TypeVar("T")

# Any: a deque, or the collection of a subclass; only its length is used here.
Storage = tuple[Any, Callable[[T], object], Callable[[], T]]


class Queue(Bound, Generic[T]):
    """A first-in, first-out queue (asyncio.Queue); `maxsize` <= 0 means no bound, in items.

    The trace of a loop shows its items from its creation on, if the loop was running then, and else from the first
    call that waits.
    """

    __slots__ = (
        "_add",
        "_getters",
        "_items",
        "_joiners",
        "_maxsize",
        "_observer",
        "_putters",
        "_shut",
        "_take",
        "_unfinished",
    )

    #: The errors that it raises; a bridge has those of another runtime.
    Empty: ClassVar[type[Exception]] = QueueEmpty
    Full: ClassVar[type[Exception]] = QueueFull
    ShutDown: ClassVar[type[Exception]] = QueueShutDown

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__()
        self._maxsize = maxsize
        self._items, self._add, self._take = self._storage()
        self._getters: deque[Waiter] = deque()
        self._putters: deque[Waiter] = deque()
        self._joiners: deque[Waiter] = deque()
        self._unfinished = 0
        self._shut = False
        self._observer: Observer | None = None
        self._watch(running_loop_or_none())

    def _storage(self) -> Storage[T]:
        """An empty collection with its functions that add an item and take the next; subclasses replace this."""
        items: deque[T] = deque()
        return items, items.append, items.popleft

    # --- looking -----------------------------------------------------------------------------------------

    @property
    def maxsize(self) -> int:
        """The greatest number of items; <= 0 means no bound."""
        return self._maxsize

    def qsize(self) -> int:
        """The number of items."""
        return len(self._items)

    def empty(self) -> bool:
        """Whether there is no item."""
        return not self._items

    def full(self) -> bool:
        """Whether put would wait."""
        return 0 < self._maxsize <= len(self._items)

    # --- putting and getting -----------------------------------------------------------------------------

    async def put(self, item: T) -> None:
        """Put an item in; waits while the queue is full.  A cancelled put has put nothing.

        Raises:
            QueueShutDown: the queue is shut down before or while this waits.
        """
        while 0 < self._maxsize <= len(self._items) and not self._shut:
            waiter = self._join_line(self._putters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._putters, waiter) and not self.full():
                    self._wake(self._putters)
                raise
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        """Put an item in at once.

        Raises:
            QueueShutDown: the queue was shut down; nothing changes.
            QueueFull: there is no room; nothing changes.
        """
        if 0 < self._maxsize <= len(self._items):
            raise self.ShutDown if self._shut else self.Full
        add = self._add  # CPython 3.11 calls a local faster than an attribute
        add(item)  # raises QueueShutDown, after shutdown
        self._unfinished += 1
        if self._observer is not None:
            self._observer.queue(self, Item.PUT)
        if self._getters:
            self._wake(self._getters)

    async def get(self) -> T:
        """Take the next item; waits while there is none.  A cancelled get has taken nothing.

        Raises:
            QueueShutDown: there is none, and the queue is shut down before or while this waits.
        """
        while not self._items and not self._shut:
            waiter = self._join_line(self._getters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._getters, waiter) and self._items:
                    self._wake(self._getters)
                raise
        return self.get_nowait()

    def get_nowait(self) -> T:
        """Take the next item at once.

        Raises:
            QueueShutDown: there is none, and the queue was shut down.
            QueueEmpty: there is none.
        """
        if not self._items:
            raise self.ShutDown if self._shut else self.Empty
        take = self._take
        item = take()
        if self._observer is not None:
            self._observer.queue(self, Item.GOT)
        if self._putters:
            self._wake(self._putters)
        return item

    def shutdown(self, immediate: bool = False) -> None:
        """Have every put raise QueueShutDown from now on, and every get, when no item is left (since 3.13).

        Parameters:
            immediate: discard the items, each as if it had been got and reported done.
        """
        self._shut = True
        self._add = self._refuse
        while immediate and self._items:
            self._take()
            if self._observer is not None:
                self._observer.queue(self, Item.GOT)
            if self._unfinished > 0:
                self.task_done()
        self._wake_all(self._getters)
        self._wake_all(self._putters)

    @classmethod
    def _refuse(cls, item: T) -> None:
        """Add an item after shutdown; a class method, because a queue that held a bound method would be a cycle."""
        raise cls.ShutDown

    # --- the count of unfinished items -------------------------------------------------------------------

    def task_done(self) -> None:
        """Report one item as done; the last one releases every join.

        Raises:
            ValueError: more items were reported than put; nothing changes (QUEUE-8).
        """
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if self._observer is not None:
            self._observer.queue(self, Item.DONE)
        if self._unfinished == 0:
            self._wake_all(self._joiners)

    async def join(self) -> None:
        """Wait until every item that was put is reported done; return at once if none is unfinished."""
        if self._unfinished > 0:
            waiter = self._join_line(self._joiners)
            try:
                await waiter
            except BaseException:
                self._leave_line(self._joiners, waiter)
                raise

    # --- wait queues -------------------------------------------------------------------------------------

    @staticmethod
    def _leave_line(line: deque[Waiter], waiter: Waiter) -> bool:
        """Remove a waiter; return whether it was woken, so that its wake-up must be passed on (QUEUE-5)."""
        waiter.cancel()  # the task may have failed while the waiter was still pending
        if waiter in line:
            line.remove(waiter)
        return woken(waiter)

    @staticmethod
    def _wake(line: deque[Waiter]) -> None:
        """Wake the oldest pending waiter (QUEUE-3)."""
        while line:
            waiter = line.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

    def _wake_all(self, line: deque[Waiter]) -> None:
        while line:
            self._wake(line)

    def _bind(self, loop: Maker) -> None:
        super()._bind(loop)
        self._watch(loop)

    def _watch(self, loop: object) -> None:
        """Announce the queue to the loop's observer, if there is one and it does not know the queue yet."""
        observer: Observer | None = getattr(loop, "observer", None)
        if observer is not None and self._observer is None:
            self._observer = observer
            observer.created(self)

    def __repr__(self) -> str:
        parts = [f"maxsize={self._maxsize}", f"items={len(self._items)}", f"unfinished={self._unfinished}"]
        return f"<{type(self).__name__} {' '.join(parts)}{' shut down' if self._shut else ''}>"


class LifoQueue(Queue[T]):
    """A queue that hands out its newest item first (QUEUE-28; asyncio.LifoQueue); parameters as Queue."""

    __slots__ = ()

    def _storage(self) -> Storage[T]:
        items: list[T] = []
        return items, items.append, items.pop


class PriorityQueue(Queue[T]):
    """A queue that hands out its least item first (QUEUE-29; asyncio.PriorityQueue); parameters as Queue.

    Items must be comparable by `<`; they are often tuples (priority, number, data).
    """

    __slots__ = ()

    def _storage(self) -> Storage[T]:
        items: list[Any] = []  # Any: asyncio does not require of T that it can be compared, either
        return items, partial(heappush, items), partial(heappop, items)
