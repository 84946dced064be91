"""Wrong queues: most have a defect that asyncio's queue had in its first years, or that is made again and again.

Q1 to Q4 are defects of the Queue in the chapter (500 Lines, "A Web Crawler With asyncio Coroutines").
"""

from __future__ import annotations

from collections import deque
from typing import Any

from impl.interfaces import Waiter
from impl.sync.queue import Queue
from impl.tasks.current import running_loop

from .mutant import breaks

#: A queue of any items, an item, and a queue of waiters.
AnyQueue = Queue[Any]
Item = Any
Waiters = deque[Waiter]


# --- a wake-up and a cancel meet ----------------------------------------------------------------------------


@breaks("QUEUE-5", "bpo-25233: asyncio 3.4.3")
class QueueGetterKeepsWakeUp(AnyQueue):
    """A getter that is woken and then cancelled does not pass its wake-up on."""

    async def get(self) -> Item:
        while not self._items and not self._shut:
            waiter = self._join_line(self._getters)
            try:
                await waiter
            except BaseException:
                self._leave_line(self._getters, waiter)
                raise
        return self.get_nowait()


@breaks("QUEUE-21", "bpo-25233, the putters' half: asyncio 3.4.3")
class QueuePutterKeepsWakeUp(AnyQueue):
    """A putter that is woken and then cancelled does not pass its wake-up on."""

    async def put(self, item: Item) -> None:
        while self.full() and not self._shut:
            waiter = self._join_line(self._putters)
            try:
                await waiter
            except BaseException:
                self._leave_line(self._putters, waiter)
                raise
        self.put_nowait(item)


@breaks("QUEUE-1", "bpo-23812")
class QueueCancelledGetTakesItem(AnyQueue):
    """A getter that is woken and then cancelled removes an item."""

    async def get(self) -> Item:
        while not self._items and not self._shut:
            waiter = self._join_line(self._getters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._getters, waiter) and self._items:
                    self._items.popleft()
                raise
        return self.get_nowait()


@breaks("QUEUE-18", "asyncio 3.4.3, fixed with bpo-25233")
class QueueCancelledPutAddsItem(AnyQueue):
    """A putter that is woken and then cancelled adds its item."""

    async def put(self, item: Item) -> None:
        while self.full() and not self._shut:
            waiter = self._join_line(self._putters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._putters, waiter) and not self.full():
                    self.put_nowait(item)
                raise
        self.put_nowait(item)


@breaks("QUEUE-18", "as wait_for did in gh-86296")
class QueueWokenGetterIgnoresCancel(AnyQueue):
    """A getter that is woken and then cancelled takes its item all the same: the cancel is lost."""

    async def get(self) -> Item:
        while not self._items and not self._shut:
            waiter = self._join_line(self._getters)
            try:
                await waiter
            except BaseException:
                if not self._leave_line(self._getters, waiter) or not self._items:
                    raise
        return self.get_nowait()


@breaks("QUEUE-1", "bpo-23812: asyncio 3.4.3")
class QueueHandsItemsOver(AnyQueue):
    """A put gives its item to the oldest getter; if that is cancelled before it runs, the item is lost."""

    def put_nowait(self, item: Item) -> None:
        getters = self._getters
        while getters and getters[0].done():
            getters.popleft()
        if getters:
            self._unfinished += 1
            getters.popleft().set_result(item)
        else:
            super().put_nowait(item)

    async def get(self) -> Item:
        if self._items or self._shut:
            return self.get_nowait()
        waiter: Any = self._join_line(self._getters)
        try:
            return await waiter
        except BaseException:
            self._leave_line(self._getters, waiter)
            raise


@breaks("QUEUE-18", "bpo-25233, the putters' half: asyncio 3.4.3")
class QueuePutsForCancelledPutter(AnyQueue):
    """Putters leave their items beside their waiters; the item of a cancelled putter is put all the same."""

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._brought: deque[tuple[Item, Waiter]] = deque()

    async def put(self, item: Item) -> None:
        if self._shut or not self.full():
            self.put_nowait(item)
            return
        waiter = running_loop().create_future()
        self._brought.append((item, waiter))
        await waiter

    def get_nowait(self) -> Item:
        item = super().get_nowait()
        if self._brought:
            brought, waiter = self._brought.popleft()
            self.put_nowait(brought)
            if not waiter.done():
                waiter.set_result(None)
        return item


@breaks("QUEUE-5", "bpo-31620, where they stayed, and bpo-25233, where they were woken")
class QueueWakesCancelledWaiters(AnyQueue):
    """A cancelled waiter stays in the queue of waiters, and the next wake-up goes to it."""

    @staticmethod
    def _leave_line(line: Waiters, waiter: Waiter) -> bool:
        return not waiter.cancelled()

    @staticmethod
    def _wake(line: Waiters) -> None:
        if line and not (waiter := line.popleft()).done():
            waiter.set_result(None)


# --- which waiter is woken, and when ------------------------------------------------------------------------


@breaks("QUEUE-4", "contract: a running task may be faster")
class QueueGetterTrustsWakeUp(AnyQueue):
    """A woken getter does not check whether an item is still there."""

    async def get(self) -> Item:
        if not self._items and not self._shut:
            waiter = self._join_line(self._getters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._getters, waiter) and self._items:
                    self._wake(self._getters)
                raise
        return self.get_nowait()


@breaks("QUEUE-13", "contract: a running task may be faster")
class QueuePutterTrustsWakeUp(AnyQueue):
    """A woken putter does not check whether there is still room."""

    async def put(self, item: Item) -> None:
        if self.full() and not self._shut:
            waiter = self._join_line(self._putters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._putters, waiter) and not self.full():
                    self._wake(self._putters)
                raise
        maxsize, self._maxsize = self._maxsize, 0
        try:
            self.put_nowait(item)
        finally:
            self._maxsize = maxsize


@breaks("QUEUE-4", "contract: a waiter that waits again goes to the end")
class QueueGetterWaitsInFront(AnyQueue):
    """A getter that was woken in vain goes back to the front of the queue of getters.

    The kit allows it: "If queue is empty, wait until an item is available" (Queue.get) does not say which of several
    getters an item is for.
    """

    async def get(self) -> Item:
        woken = False
        while not self._items and not self._shut:
            waiter = self._join_line(self._getters)
            if woken:
                self._getters.rotate(1)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._getters, waiter) and self._items:
                    self._wake(self._getters)
                raise
            woken = True
        return self.get_nowait()


@breaks("QUEUE-3", "contract: CPython's own tests do not see it")
class QueueWakesNewestFirst(AnyQueue):
    """The newest waiter is woken first."""

    @staticmethod
    def _wake(line: Waiters) -> None:
        line.reverse()
        Queue._wake(line)
        line.reverse()


@breaks("QUEUE-5", "contract: each item has a wake-up on its way")
class QueueWakesForFirstItem(AnyQueue):
    """A put wakes a getter only if the queue was empty."""

    def put_nowait(self, item: Item) -> None:
        getters = self._getters
        if self._items:
            self._getters = deque()
        try:
            super().put_nowait(item)
        finally:
            self._getters = getters


@breaks("QUEUE-21", "contract: each free place has a wake-up on its way")
class QueueWakesForFirstRoom(AnyQueue):
    """A get wakes a putter only if the queue was full."""

    def get_nowait(self) -> Item:
        putters = self._putters
        if not self.full():
            self._putters = deque()
        try:
            return super().get_nowait()
        finally:
            self._putters = putters


@breaks("QUEUE-21", "contract: room wakes a putter")
class QueueGetWakesNothing(AnyQueue):
    """A get makes room and wakes no putter."""

    def get_nowait(self) -> Item:
        putters, self._putters = self._putters, deque()
        try:
            return super().get_nowait()
        finally:
            self._putters = putters


@breaks("QUEUE-32", "contract: shutdown wakes all waiters")
class QueueShutdownWakesNothing(AnyQueue):
    """shutdown() leaves the getters and putters that already wait blocked."""

    def _wake_all(self, line: Waiters) -> None:
        if not self._shut:
            super()._wake_all(line)


# --- join and task_done -------------------------------------------------------------------------------------


@breaks("QUEUE-7", "contract: join() waits whenever there is unfinished work")
class QueueJoinsOnce(AnyQueue):
    """Once a join() was released, join() never waits again."""

    _released = False

    async def join(self) -> None:
        if not self._released:
            await super().join()
            self._released = True


@breaks("QUEUE-7", "Q1: the chapter's Queue, its footnote 13: one future for all joins")
class QueueJoinFutureIsUsedOnce(AnyQueue):
    """All joins await one future: later joins return at once, and the next end of the work resolves it again."""

    _join_future: Any = None

    async def join(self) -> None:
        if self._unfinished > 0:
            if self._join_future is None:
                self._join_future = running_loop().create_future()
            await self._join_future

    def task_done(self) -> None:
        super().task_done()
        if self._unfinished == 0 and self._join_future is not None:
            self._join_future.set_result(None)


@breaks("QUEUE-7", "Q2: the chapter's Queue on the chapter's Future")
class QueueJoinWakesAgain(AnyQueue):
    """Each time the work ends, every task that ever waited in join() is resumed, whatever it awaits by then."""

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._joined: list[Any] = []

    async def join(self) -> None:
        if self._unfinished > 0:
            await super().join()
            self._joined.append(running_loop().current)

    def task_done(self) -> None:
        super().task_done()
        if self._unfinished == 0:
            for task in self._joined:
                task.get_loop().ready.append(task)


@breaks("QUEUE-16", "contract: a released join() returns")
class QueueJoinChecksAgain(AnyQueue):
    """A released join() waits again if an item was put before it ran."""

    async def join(self) -> None:
        while self._unfinished > 0:
            await super().join()


@breaks("QUEUE-6", "contract: an item that is being processed is unfinished")
class QueueJoinsWhenEmpty(AnyQueue):
    """Joins are released as soon as the queue is empty, although items are still being processed."""

    def get_nowait(self) -> Item:
        item = super().get_nowait()
        while not self._items and self._joiners:
            self._wake(self._joiners)
        return item


@breaks("QUEUE-6", "contract: every join is released")
class QueueReleasesOneJoin(AnyQueue):
    """The last task_done() releases the oldest join only."""

    def task_done(self) -> None:
        joiners, self._joiners = self._joiners, deque(list(self._joiners)[:1])
        super().task_done()
        if joiners and joiners[0].done():
            joiners.popleft()
        self._joiners = joiners


@breaks("QUEUE-8", "Q3, Q4: the chapter's Queue, in which the next item then counts for nothing")
class QueueCountsBelowZero(AnyQueue):
    """One task_done() too many is accepted."""

    def task_done(self) -> None:
        if self._unfinished > 0:
            super().task_done()
        else:
            self._unfinished -= 1


@breaks("QUEUE-20", "asyncio#235: asyncio 3.4.3, in the subclasses")
class QueuePutCountsNothing(AnyQueue):
    """put() does not count its item as unfinished."""

    async def put(self, item: Item) -> None:
        await super().put(item)
        self._unfinished -= 1
