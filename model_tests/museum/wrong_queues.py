"""More wrong queues, each with one defect, which directed schedules must lead into a run that the monitor rejects.

Theory of operation.  As in `mutants.py`: the reference with one rule taken away, which `met` says where.  Here the
defects are those that show in few schedules, most of them errors that asyncio's queue had in its first years, or that
queues are written with again and again: a wake-up for the first item only, a look that is not taken twice, a waiter
that is gone and still in the line.  `HandsItOver` is a whole queue of the old design, which gives the item itself to
the waiter instead of an invitation to look.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from impl.errors import QueueEmpty
from impl.interfaces import Waiter
from impl.sync.queue import Queue
from impl.tasks.current import running_loop

from .mutants import wrong_queue

# `Any` in this file: as in the methods that are replaced; items are anything.


class HandsItOver(Queue[Any]):
    """A put gives its item to the oldest getter; if that is cancelled before it runs, the item is gone."""

    def put_nowait(self, item: Any) -> None:
        getters = self._getters
        while getters and getters[0].done():
            getters.popleft()
        if getters:
            self._unfinished += 1
            getters.popleft().set_result(item)
        else:
            super().put_nowait(item)

    async def get(self) -> Any:
        if self._items:
            return self.get_nowait()
        waiter: Any = self._join_line(self._getters)
        try:
            return await waiter
        except BaseException:
            self._leave_line(self._getters, waiter)
            raise


class CountsNoPut(Queue[Any]):
    """The put that may wait does not count its item as unfinished."""

    async def put(self, item: Any) -> None:
        await super().put(item)
        self._unfinished -= 1


class JoinsWhenEmpty(Queue[Any]):
    """Joins are released as soon as the buffer is empty, although items are in work."""

    def get_nowait(self) -> Any:
        item = super().get_nowait()
        while not self._items and self._joiners:
            self._wake(self._joiners)
        return item


class ReleasesOneJoin(Queue[Any]):
    """The last report releases the oldest join only."""

    def task_done(self) -> None:
        joiners, self._joiners = self._joiners, deque(list(self._joiners)[:1])
        super().task_done()
        if joiners and joiners[0].done():
            joiners.popleft()
        self._joiners = joiners


class GetWakesNobody(Queue[Any]):
    """A get makes room and tells no putter."""

    def get_nowait(self) -> Any:
        putters, self._putters = self._putters, deque()
        try:
            return super().get_nowait()
        finally:
            self._putters = putters


class WakesTheGone(Queue[Any]):
    """Who is cancelled stays in the line, and the next wake-up goes to it."""

    @staticmethod
    def _leave_line(line: deque[Waiter], waiter: Waiter) -> bool:
        return not waiter.cancelled()

    @staticmethod
    def _wake(line: deque[Waiter]) -> None:
        if line and not (waiter := line.popleft()).done():
            waiter.set_result(None)


class WakesForTheFirstItem(Queue[Any]):
    """A put wakes a getter only if the buffer was empty."""

    def put_nowait(self, item: Any) -> None:
        getters = self._getters
        if self._items:
            self._getters = deque()
        try:
            super().put_nowait(item)
        finally:
            self._getters = getters


class WakesForTheFirstRoom(Queue[Any]):
    """A get wakes a putter only if the buffer was full."""

    def get_nowait(self) -> Any:
        putters = self._putters
        if not self.full():
            self._putters = deque()
        try:
            return super().get_nowait()
        finally:
            self._putters = putters


class PutterTrustsItsWakeUp(Queue[Any]):
    """A woken putter does not look whether the room is still there."""

    async def put(self, item: Any) -> None:
        if self.full():
            waiter = self._join_line(self._putters)
            try:
                await waiter
            except BaseException:
                if self._leave_line(self._putters, waiter) and not self.full():
                    self._wake(self._putters)
                raise
        maxsize, self._maxsize = self._maxsize, 0
        self.put_nowait(item)
        self._maxsize = maxsize


class HoldsOneMore(Queue[Any]):
    """There is room for one item more than maxsize."""

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize + 1 if maxsize > 0 else maxsize)


class NewestItemFirst(Queue[Any]):
    """The item that was put last leaves first."""

    def get_nowait(self) -> Any:
        self._items.rotate(1)
        return super().get_nowait()


class WaitsAgainInFront(Queue[Any]):
    """A getter that was woken in vain goes back to the head of the line."""

    async def get(self) -> Any:
        woken = False
        while not self._items:
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


class DeafWhenWoken(Queue[Any]):
    """A getter that is cancelled after its wake-up takes its item all the same: the cancel is lost."""

    async def get(self) -> Any:
        while not self._items:
            waiter = self._join_line(self._getters)
            try:
                await waiter
            except BaseException:
                if not self._leave_line(self._getters, waiter) or not self._items:
                    raise
        return self.get_nowait()


class PutsForTheGone(Queue[Any]):
    """Putters leave their items in the line; that of one that was cancelled there is put in all the same."""

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._brought: deque[tuple[Any, Waiter]] = deque()

    async def put(self, item: Any) -> None:
        if not self.full():
            self.put_nowait(item)
            return
        waiter = running_loop().create_future()
        self._brought.append((item, waiter))
        await waiter

    def get_nowait(self) -> Any:
        if not self._items:
            raise QueueEmpty
        item = super().get_nowait()
        if self._brought:
            brought, waiter = self._brought.popleft()
            self.put_nowait(brought)
            if not waiter.done():
                waiter.set_result(None)
        return item


WRONG_QUEUES: Final = (
    wrong_queue(HandsItOver, "QUEUE-1", "bpo-23812: asyncio 3.4.3"),
    wrong_queue(CountsNoPut, "QUEUE-20", "asyncio#235: asyncio 3.4.3, in the subclasses"),
    wrong_queue(JoinsWhenEmpty, "QUEUE-6", "contract: what is in work is unfinished"),
    wrong_queue(ReleasesOneJoin, "QUEUE-6", "contract: every join is released"),
    wrong_queue(GetWakesNobody, "QUEUE-21", "contract: room wakes a putter"),
    wrong_queue(
        WakesTheGone, "QUEUE-5", "bpo-31620, where they stayed, and bpo-25233, where they were woken"
    ),
    wrong_queue(WakesForTheFirstItem, "QUEUE-5", "contract: each item has a wake-up on its way"),
    wrong_queue(WakesForTheFirstRoom, "QUEUE-21", "contract: each free place has a wake-up on its way"),
    wrong_queue(PutterTrustsItsWakeUp, "QUEUE-13", "contract: a running task may be faster"),
    wrong_queue(HoldsOneMore, "QUEUE-2", "contract: maxsize"),
    wrong_queue(NewestItemFirst, "QUEUE-1", "contract: first in, first out"),
    wrong_queue(WaitsAgainInFront, "QUEUE-4", "contract: who waits again stands behind"),
    wrong_queue(DeafWhenWoken, "QUEUE-18", "as wait_for did in gh-86296"),
    wrong_queue(PutsForTheGone, "QUEUE-18", "bpo-25233, the putters' half: asyncio 3.4.3"),
)
