"""Queue: items handed from task to task, in order, with a bound, a count of what is unfinished, and join.

Theory of operation.
1.  Items leave in the order in which they came (QUEUE-1); `maxsize` > 0 bounds how many may lie there (QUEUE-2).
2.  A getter that finds nothing waits in a line, a putter that finds no room in another; each wakes oldest first
    (QUEUE-3).  A wake-up is an invitation, not an item: a running task may take the item before the woken
    getter runs, who then waits again, at the end of the line (QUEUE-4).
3.  Hence the rule that the queue stands on: a waiter who was woken and is then cancelled before it ran must hand
    the wake-up on to the next in line, or an item lies there while somebody waits for one (QUEUE-5).
4.  `put` counts one unfinished item more, `task_done` one less; at zero every `join` is released (QUEUE-6).
    The count may rise and fall again: join re-arms (QUEUE-7).  One `task_done` too many is a ValueError and
    changes nothing (QUEUE-8).
5.  After `shutdown` nothing can be put, and what is there can still be got (QUEUE-30); an immediate one throws it
    away, as if it had been got and done (QUEUE-31).  All who wait for an item or for room look again (QUEUE-32).

A queue of another order replaces where its items lie, and nothing else: what is counted, and who is woken, is the
same for all (`queues.py`; asyncio#235).  An item is added and taken by two functions that are looked up once, when
the queue is made: no call of a method stands between `put_nowait` and the deque, nor a test for shutdown.

Names and meanings are those of `asyncio.Queue` (CPython documentation of 3.13, "Queues").
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

from ..errors import QueueEmpty, QueueFull, QueueShutDown
from ..interfaces import Item, Maker, Observer, Waiter
from ..tasks.current import running_loop_or_none
from .waiters import Bound, woken

T = TypeVar("T")

# Any: a deque, or what a subclass keeps its items in; here only its length is asked for.
Storage = tuple[Any, Callable[[T], object], Callable[[], T]]


class Queue(Bound, Generic[T]):
    """A first-in, first-out queue (asyncio.Queue); `maxsize` <= 0 means no bound, in items.

    Its items show in the trace of a loop from the moment it is made while that loop runs, or, made before, from
    the first time somebody waits.
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

    #: What is raised; a bridge has another runtime's.
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
        """An empty collection, what adds an item to it, and what takes the next: a subclass replaces this."""
        items: deque[T] = deque()
        return items, items.append, items.popleft

    # --- looking -----------------------------------------------------------------------------------------

    @property
    def maxsize(self) -> int:
        """How many items it may hold; <= 0: any number."""
        return self._maxsize

    def qsize(self) -> int:
        """How many items it holds."""
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        """Whether a put would have to wait."""
        return 0 < self._maxsize <= len(self._items)

    # --- putting and getting -----------------------------------------------------------------------------

    async def put(self, item: T) -> None:
        """Put an item in; waits while the queue is full.  A cancelled put has put nothing.

        Raises:
            QueueShutDown: the queue was shut down, or is while this waits.
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
        add = self._add  # a name of its own: CPython 3.11 calls `self._add` by a slower road
        add(item)  # raises QueueShutDown, after shutdown
        self._unfinished += 1
        if self._observer is not None:
            self._observer.queue(self, Item.PUT)
        if self._getters:
            self._wake(self._getters)

    async def get(self) -> T:
        """Take the next item; waits while there is none.  A cancelled get has taken nothing.

        Raises:
            QueueShutDown: there is none, and the queue was shut down, or is while this waits.
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
            immediate: throw away what is there, each item as if it had been got and reported done.
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
        """What adds an item after shutdown; of the class, for a queue that held its own method would be a cycle."""
        raise cls.ShutDown

    # --- the count of unfinished items -------------------------------------------------------------------

    def task_done(self) -> None:
        """Report one item that was got as done; the last one releases every join.

        Raises:
            ValueError: more were reported than were put; nothing changes (QUEUE-8).
        """
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if self._observer is not None:
            self._observer.queue(self, Item.DONE)
        if self._unfinished == 0:
            self._wake_all(self._joiners)

    async def join(self) -> None:
        """Wait until every item that was put has been reported done; returns at once if none is open."""
        if self._unfinished > 0:
            waiter = self._join_line(self._joiners)
            try:
                await waiter
            except BaseException:
                self._leave_line(self._joiners, waiter)
                raise

    # --- lines of waiters --------------------------------------------------------------------------------

    @staticmethod
    def _leave_line(line: deque[Waiter], waiter: Waiter) -> bool:
        """The waiter gives up; says whether it had been woken, so that its wake-up is to be handed on (QUEUE-5)."""
        waiter.cancel()  # an error may have been thrown into the task while the waiter still waits
        if waiter in line:
            line.remove(waiter)
        return woken(waiter)

    @staticmethod
    def _wake(line: deque[Waiter]) -> None:
        """Wake the oldest that still waits (QUEUE-3)."""
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
