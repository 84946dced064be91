"""as_completed: an iterator over awaitables, in the order of their ends.

1.  Each awaitable that is done goes into a queue, and each step of the iterator takes one out.  Results come in the
    order of completion (ASDONE-1), and several steps may wait at the same time.
2.  There are as many steps as awaitables.  A cancelled step has taken nothing from the queue, so the count of steps
    goes up again and the next one takes its place: no result is lost (ASDONE-3, gh-158004).
3.  At the timeout the awaitables that are not done are dropped, neither cancelled nor waited for.  The queue gets a
    mark for each: a step that takes a mark raises TimeoutError (ASDONE-2).  Earlier results are taken first.
4.  Asynchronous iteration yields the futures themselves, done (ASDONE-4).  Plain iteration yields coroutines, each to
    be awaited once, which return the next result.  Iteration that was left keeps nothing of its caller (LEAK-8).

Source: CPython documentation of 3.15, "Waiting Primitives" (asyncio.as_completed).
"""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine, Iterable
from typing import Any, Generic, Self, TypeVar

from ..interfaces import TimerHandle
from ..sync.queue import Queue
from ..tasks.awaiters import TaskProxy
from ..tasks.future import Future
from .ensure import Awaits, ensure_future, host_for

T = TypeVar("T")

# Any, throughout: a future may belong to another runtime, and hold a result of any type.


class AsCompleted(TaskProxy, Generic[T]):
    """The iterator that `as_completed` returns; asynchronous and plain."""

    __slots__ = ("_done", "_left", "_timer", "_waiting")

    def __init__(self, futures: list[Any], timeout: float | None) -> None:
        super().__init__(host_for(futures[0]).current if futures else None)
        #: Futures that are done and not taken yet; None: a mark of the timeout.
        self._done: Queue[Future[T] | None] = Queue()
        self._waiting: dict[Any, None] = dict.fromkeys(futures)
        self._left = len(self._waiting)
        self._timer: TimerHandle | None = None
        for future in self._waiting:
            future.add_done_callback(self._ended)
        if timeout is not None and futures:
            host = host_for(futures[0])
            self._timer = host.call_at(host.time() + timeout, self._time_is_over)

    def _ended(self, future: Future[T]) -> None:
        if future in self._waiting:  # else the timeout came first
            del self._waiting[future]
            self._done.put_nowait(future)
            if not self._waiting and self._timer is not None:
                self._timer.cancel()

    def _time_is_over(self) -> None:
        for future in self._waiting:
            future.remove_done_callback(self._ended)
            self._done.put_nowait(None)
        self._waiting.clear()

    def __aiter__(self) -> Self:
        return self

    def __iter__(self) -> Self:
        return self

    async def __anext__(self) -> Future[T]:
        """Return the next future that is done.

        Raises:
            TimeoutError: the timeout came first.
        """
        if not self._left:
            raise StopAsyncIteration
        self._left -= 1
        return await self._take()

    def __next__(self) -> Coroutine[Any, Any, T]:
        if not self._left:
            raise StopIteration
        self._left -= 1
        return self._result()

    async def _result(self) -> T:
        return (await self._take()).result()

    async def _take(self) -> Future[T]:
        try:
            future = await self._done.get()
        except BaseException:
            self._left += 1
            raise
        if future is None:
            raise TimeoutError
        return future


def as_completed(fs: Iterable[Awaits[T]], *, timeout: float | None = None) -> AsCompleted[T]:
    """Iterate over awaitables as they finish: `async for future in ...`, or `for coro in ...: await coro`.

    Parameters:
        fs: futures, coroutines, other awaitables; the same one twice counts once.
        timeout: seconds from now, after which a step raises TimeoutError; None: no limit.

    Raises:
        TypeError: a single awaitable is given, or one of `fs` cannot be awaited.
        RuntimeError: no loop is running.
    """
    if isinstance(fs, Awaitable):
        raise TypeError(f"as_completed() takes an iterable of awaitables, not {type(fs).__name__}")
    return AsCompleted([ensure_future(what) for what in dict.fromkeys(fs)], timeout)
