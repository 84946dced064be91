"""Wrong implementations of functions that wait for several awaitables, or for a limited time."""

from __future__ import annotations

import asyncio
import inspect
from asyncio import CancelledError, Future
from collections.abc import Iterable
from functools import wraps
from typing import Any

#: typeshed says that it is final.
_Timeout: Any = asyncio.Timeout


class _Outer(Future[list[Any]]):
    """The future of a gather, whose cancel goes to the children."""

    def __init__(self, children: list[Future[Any]]) -> None:
        super().__init__(loop=children[0].get_loop())
        self.children, self.asked = children, False

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        asked = [child.cancel(msg) for child in self.children]
        self.asked |= any(asked)
        return any(asked)


def _outcome(child: Any, raised: bool) -> Any:
    """Return the result, or the error, also of a child that was cancelled: as it is raised, or as a result."""
    if child.cancelled() and not raised:
        return CancelledError(child._cancel_message or "")
    try:
        return child.result()
    except BaseException as error:
        return error


@wraps(asyncio.gather, assigned=())
def gather_cancels_the_siblings(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather that cancels the other children when one child is cancelled.

    Breaks "If any awaitable in the aws sequence is cancelled, it is treated as if it raised CancelledError - the
    gather() call is not cancelled in this case. This is to prevent the cancellation of one submitted Task/Future to
    cause other Tasks/Futures to be cancelled."
    """
    if not aws:
        nothing: Future[list[Any]] = asyncio.get_event_loop().create_future()
        nothing.set_result([])
        return nothing
    tasks = {aw: asyncio.ensure_future(aw) for aw in dict.fromkeys(aws)}
    outer = _Outer([tasks[aw] for aw in aws])
    left, outcomes = len(tasks), {}

    def ended(child: Future[Any]) -> None:
        nonlocal left
        left -= 1
        outcome = outcomes[child] = _outcome(child, not return_exceptions)
        if outer.done():
            return
        if isinstance(outcome, BaseException) and not return_exceptions:
            if child.cancelled():
                outer.cancel()
            outer.set_exception(outcome)
        elif not left and outer.asked:
            outer.set_exception(_outcome(child, True) if child.cancelled() else CancelledError())
        elif not left:
            outer.set_result([outcomes[each] for each in outer.children])

    for task in tasks.values():
        if task.done():
            ended(task)
        else:
            task.add_done_callback(ended)
    return outer


@wraps(asyncio.wait, assigned=())
async def wait_ends_at_a_cancelled_one(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait for FIRST_EXCEPTION that ends when a task is cancelled, though that raised nothing.

    Breaks "The function will return when any future finishes by raising an exception. If no future raises an exception
    then it is equivalent to ALL_COMPLETED."
    """
    if asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
        raise TypeError(f"expect a list of futures, not {type(fs).__name__}")
    futures = set(fs)
    if not futures or return_when not in ("FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"):
        raise ValueError("no futures, or no such return_when")
    if any(asyncio.iscoroutine(future) for future in futures):
        raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    loop = asyncio.get_running_loop()
    left, over = len(futures), loop.create_future()

    def end() -> None:
        if not over.done():
            over.set_result(None)

    def ended(future: Future[Any]) -> None:
        nonlocal left
        left -= 1
        failed = future.cancelled() or future.exception() is not None
        if not left or return_when == "FIRST_COMPLETED" or (failed and return_when == "FIRST_EXCEPTION"):
            end()

    timer = None if timeout is None else loop.call_later(timeout, end)
    for future in futures:
        future.add_done_callback(ended)
    try:
        await over
    finally:
        if timer is not None:
            timer.cancel()
        for future in futures:
            future.remove_done_callback(ended)
    done = {future for future in futures if future.done()}
    return done, futures - done


@wraps(asyncio.wait_for, assigned=())
async def wait_for_prefers_the_result(fut: Any, timeout: float | None) -> Any:
    """A wait_for that returns the result of a future that is done, although its caller was cancelled.

    The cancel is lost, as it was before 3.12 (gh-86296).  Breaks "If the wait is cancelled, the future aw is also
    cancelled", and of Task.cancel "to be thrown into the wrapped coroutine".  (since 3.12)
    """
    inner = asyncio.ensure_future(fut)
    try:
        return await asyncio.wait_for(inner, timeout)
    except CancelledError:
        if inner.done() and not inner.cancelled():
            return inner.result()
        raise


@wraps(asyncio.wait_for, assigned=())
async def wait_for_drops_the_outcome(fut: Any, timeout: float | None) -> Any:
    """A wait_for that raises TimeoutError whatever the awaitable, cancelled for that, returned or raised.

    Breaks "If fut suppresses the cancellation and returns a value instead, that value is returned."
    """
    inner = asyncio.ensure_future(fut)
    if timeout is None or timeout <= 0:
        return await asyncio.wait_for(inner, timeout)
    caller: Any = asyncio.current_task()
    requests, expired = caller.cancelling(), False

    def expire() -> None:
        nonlocal expired
        expired = inner.cancel()

    timer = asyncio.get_running_loop().call_later(timeout, expire)
    try:
        result = await inner
    except BaseException as error:
        if expired and caller.cancelling() <= requests:
            raise TimeoutError from error
        raise
    finally:
        timer.cancel()
    if expired:
        raise TimeoutError
    return result


@wraps(asyncio.shield, assigned=())
def shield_outlives_its_future(arg: Any) -> Any:
    """A shield that goes on waiting when its inner future is cancelled.

    Breaks "If something() is cancelled by other means (i.e. from within itself) that would also cancel shield()."
    """
    inner = asyncio.ensure_future(arg)
    if inner.done():
        return inner
    outer: Future[Any] = inner.get_loop().create_future()

    def inner_ended(inner: Future[Any]) -> None:
        if inner.cancelled():
            return
        error = inner.exception()
        if not outer.done() and error is not None:
            outer.set_exception(error)
        elif not outer.done():
            outer.set_result(inner.result())

    inner.add_done_callback(inner_ended)
    outer.add_done_callback(lambda _: inner.remove_done_callback(inner_ended))
    return outer


class _Steps:
    """The iterator of an as_completed, with the defect of the function below: a timer for each step."""

    def __init__(self, aws: Iterable[Any], timeout: float | None) -> None:
        self.timeout = timeout
        self.ended: asyncio.Queue[Any] = asyncio.Queue()
        self.loop = asyncio.get_event_loop()
        todo = [asyncio.ensure_future(aw) for aw in dict.fromkeys(aws)]
        for future in todo:
            future.add_done_callback(self.ended.put_nowait)
        self.left = len(todo)

    def __aiter__(self) -> _Steps:
        return self

    __iter__ = __aiter__

    async def __anext__(self) -> Any:
        if not self.left:
            raise StopAsyncIteration
        self.left -= 1
        return await self.step()

    def __next__(self) -> Any:
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.result()

    async def result(self) -> Any:
        return (await self.step()).result()

    def expire(self) -> None:
        if self.ended.empty():
            self.ended.put_nowait(None)

    async def step(self) -> Any:
        timer = None if self.timeout is None else self.loop.call_later(self.timeout, self.expire)
        try:
            future = await self.ended.get()
        except BaseException:
            self.left += 1
            raise
        finally:
            if timer is not None:
                timer.cancel()
        if future is None:
            raise TimeoutError
        return future


@wraps(asyncio.as_completed, assigned=())
def as_completed_starts_its_timer_anew(fs: Iterable[Any], *, timeout: float | None = None) -> Any:
    """An as_completed whose timeout begins again at each of its steps.

    A slow stream of results never expires.  Breaks "A TimeoutError is raised if the timeout occurs before all
    awaitables are done."
    """
    if inspect.isawaitable(fs):
        raise TypeError(f"expects an iterable of awaitables, not {type(fs).__name__}")
    return _Steps(fs, timeout)


class _Greedy(_Timeout):
    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        await super().__aexit__(et, exc, tb)
        if self.expired() and isinstance(exc, CancelledError):
            raise TimeoutError from exc


@wraps(asyncio.timeout, assigned=())
def timeout_takes_every_cancel(delay: float | None) -> Any:
    """A timeout that expired, and raises TimeoutError although its task was cancelled from outside, too.

    Breaks "transforms the resulting asyncio.CancelledError internally into a TimeoutError": its own one, "Since there
    are no new cancel requests, we're handling this."
    """
    return _Greedy(None if delay is None else asyncio.get_running_loop().time() + delay)


class _Impatient(_Timeout):
    async def __aenter__(self) -> Any:
        if self.when() is not None and self.when() <= asyncio.get_running_loop().time():
            raise TimeoutError
        return await super().__aenter__()


@wraps(asyncio.timeout_at, assigned=())
def timeout_at_raises_at_the_entry(when: float | None) -> Any:
    """A timeout_at that raises TimeoutError at its entry if the time is over, so that the block does not begin.

    Breaks "If when < loop.time(), the timeout will trigger on the next iteration of the event loop."
    """
    return _Impatient(when)
