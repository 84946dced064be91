"""Right parts of asyncio that several wrong subjects are made of: a subject changes one thing of them."""

import asyncio
import asyncio.futures
import asyncio.tasks
from collections import deque
from collections.abc import Callable
from typing import Any

# Any: awaitables, and their results, are anything; typeshed does not know the private names of asyncio's classes.

# asyncio's own, before a subject takes the name; Future and Task are those in pure Python.
Barrier: Any = asyncio.Barrier
BoundedSemaphore: Any = asyncio.BoundedSemaphore
Condition: Any = asyncio.Condition
Event: Any = asyncio.Event
Future: Any = vars(asyncio.futures)["_PyFuture"]
GatheringFuture: Any = vars(asyncio.tasks)["_GatheringFuture"]
LifoQueue: Any = asyncio.LifoQueue
Lock: Any = asyncio.Lock
PriorityQueue: Any = asyncio.PriorityQueue
Queue: Any = asyncio.Queue
Runner: Any = asyncio.Runner
SelectorEventLoop: Any = asyncio.SelectorEventLoop
Semaphore: Any = asyncio.Semaphore
Task: Any = vars(asyncio.tasks)["_PyTask"]
TaskGroup: Any = asyncio.TaskGroup
Timeout: Any = asyncio.Timeout
all_tasks: Any = asyncio.all_tasks
as_completed: Any = asyncio.as_completed
current_task: Any = asyncio.current_task
ensure_future: Any = asyncio.ensure_future
gather: Any = asyncio.gather
run: Any = asyncio.run
sleep: Any = asyncio.sleep
to_thread: Any = asyncio.to_thread
wait: Any = asyncio.wait
wait_for: Any = asyncio.wait_for


def when(delay: float | None) -> float | None:
    """Return the deadline of a timeout."""
    return None if delay is None else asyncio.get_running_loop().time() + delay


def line_of(primitive: Any) -> Any:
    """Return the line of a lock or a semaphore, which makes it late."""
    if primitive._waiters is None:
        primitive._waiters = deque()
    return primitive._waiters


async def wait_in_line(line: Any, left: Callable[[bool], object] = bool) -> Any:
    """Wait at a new place in the line; if that is cancelled, call `left` with whether the place was woken."""
    place = asyncio.get_running_loop().create_future()
    line.append(place)
    try:
        result = await place
    except BaseException:
        woken = not place.cancel() and not place.cancelled()
        if place in line:
            line.remove(place)
        left(woken)
        raise
    if place in line:
        line.remove(place)
    return result


async def reacquire(lock: Any) -> None:
    """Acquire the lock in any case; then raise the last cancel that arrived meanwhile."""
    cancelled = None
    while True:
        try:
            await lock.acquire()
            break
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled


def hand_on(inner: Any, outer: Any) -> None:
    """End the future of a shield as the inner one ended."""
    if outer.cancelled():
        if not inner.cancelled():
            inner.exception()
    elif inner.cancelled():
        outer.cancel()
    elif (error := inner.exception()) is not None:
        outer.set_exception(error)
    else:
        outer.set_result(inner.result())


def shield(arg: Any, ended: Callable[[Any, Any], None] = hand_on, new: Any = None, tidy: bool = True) -> Any:
    """Do as asyncio.shield() does, with another `hand_on`, class of future, or no removal of the callback."""
    inner = asyncio.ensure_future(arg)
    if inner.done():
        return inner
    outer: Any = inner.get_loop().create_future() if new is None else new(loop=inner.get_loop())

    def callback(inner: Any) -> None:
        ended(inner, outer)

    inner.add_done_callback(callback)
    if tidy:
        outer.add_done_callback(lambda outer: inner.done() or inner.remove_done_callback(callback))
    return outer


class Results:
    """The result of as_completed(); `_next` waits for the next future in `_done`."""

    def __init__(self, fs: Any) -> None:
        if asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
            raise TypeError(f"expect an iterable of awaitables, not {type(fs).__name__}")
        self._done: asyncio.Queue[Any] = asyncio.Queue()
        self._todo = {asyncio.ensure_future(awaitable) for awaitable in dict.fromkeys(fs)}
        self._left = len(self._todo)
        for future in self._todo:
            future.add_done_callback(self._complete)

    def _complete(self, future: Any) -> None:
        self._done.put_nowait(future)

    async def _next(self) -> Any:
        raise NotImplementedError

    async def _result(self) -> Any:
        return (await self._next()).result()

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if not self._left:
            raise StopIteration
        self._left -= 1
        return self._result()

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        if not self._left:
            raise StopAsyncIteration
        self._left -= 1
        return await self._next()
