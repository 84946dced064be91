"""Wrong futures: their state, callbacks, results and exceptions; wrap_future, isfuture and the future of gather."""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
from typing import Any

from .._parts import Future, hand_on, shield


class FutureThatIsNotDoneWhenCancelled(Future):
    """done() is False for a cancelled future, which has neither a result nor an exception.

    Breaks "A Future is done if it was cancelled or if it has a result or an exception set" (asyncio-future.html,
    Future.done())
    """

    def done(self) -> bool:
        return bool(super().done()) and not self.cancelled()


class FutureThatMustHaveTheCallback(Future):
    """remove_done_callback() of a callback that is not there raises ValueError, as list.remove() does.

    Breaks "Returns the number of callbacks removed, which is typically 1, unless a callback was added more than once."
    (asyncio-future.html, Future.remove_done_callback()); futures.py returns 0 then.
    """

    def remove_done_callback(self, fn: Any) -> int:
        if not (removed := super().remove_done_callback(fn)):
            raise ValueError("no such callback")
        return int(removed)


class _Class(Exception):
    def __init__(self, exception: type[BaseException]) -> None:
        self.exception = exception


class FutureThatKeepsTheClassOfAnException(Future):
    """set_exception() accepts a class, and raises an instance of it, but exception() returns the class.

    Breaks "Return the exception that was set on this Future." (asyncio-future.html, Future.exception()) and
    futures.py, set_exception(): `if isinstance(exception, type): exception = exception()`
    """

    def set_exception(self, exception: Any) -> None:
        super().set_exception(_Class(exception) if isinstance(exception, type) else exception)

    def exception(self) -> Any:
        error = super().exception()
        return error.exception if isinstance(error, _Class) else error

    def result(self) -> Any:
        try:
            return super().result()
        except _Class as error:
            raise error.exception from None


class FutureThatLengthensTheTraceback(Future):
    """Each result() raises the exception with the traceback of the last time, and adds to it.

    Breaks futures.py, result(): `raise self._exception.with_traceback(self._exception_tb)`, where _exception_tb is
    the traceback at set_exception().
    """

    def result(self) -> Any:
        if self.done() and not self.cancelled() and (error := self.exception()) is not None:
            raise error
        return super().result()


class FutureThatReportsARetrievedException(Future):
    """exception() does not count as retrieval, only result() does: the loop still reports the exception.

    Breaks "If a Future.set_exception() is called but the Future object is never awaited on, ... asyncio would emit a
    log message" (asyncio-dev.html, Detect never-retrieved exceptions); futures.py, exception():
    `self.__log_traceback = False`, as "result() or exception() has consumed the exception".
    """

    def exception(self) -> Any:
        if self.done() and not self.cancelled():
            return self._exception
        return super().exception()


class FutureThatNamesTheRunningLoop(Future):
    """get_loop() returns the loop that runs, not the one that the future was made for.

    Breaks "Return the event loop the Future object is bound to." (asyncio-future.html, Future.get_loop())
    """

    def get_loop(self) -> Any:
        return asyncio.get_running_loop()


def _chain(future: Any, loop: Any, copy: Any) -> Any:
    outer = (loop or asyncio.get_event_loop()).create_future()
    future.add_done_callback(lambda future: outer.get_loop().call_soon_threadsafe(copy, future, outer))
    return outer


@functools.wraps(asyncio.wrap_future, assigned=["__name__"])
def wrap_future_spares_the_inner_one(future: Any, *, loop: Any = None) -> Any:
    """Cancelling the wrapper leaves the concurrent future as it is, so that its work begins all the same.

    Breaks futures.py, _chain_future(): "If destination is cancelled, source gets cancelled too."
    """
    return future if asyncio.isfuture(future) else _chain(future, loop, hand_on)


@functools.wraps(asyncio.wrap_future, assigned=["__name__"])
def wrap_future_fails_when_the_inner_one_is_cancelled(future: Any, *, loop: Any = None) -> Any:
    """The concurrent CancelledError, an Exception, is passed on like any other error; the wrapper is not cancelled.

    Breaks futures.py, _copy_future_state(): `if source.cancelled(): dest.cancel()`; "Return True if the Future was
    cancelled." (asyncio-future.html, Future.cancelled())
    """
    if asyncio.isfuture(future):
        return future

    def copy(source: Any, target: Any) -> None:
        if target.done():
            return
        try:
            target.set_result(source.result())
        except Exception as error:
            target.set_exception(error)

    outer = _chain(future, loop, copy)
    outer.add_done_callback(lambda outer: outer.cancelled() and future.cancel())
    return outer


@functools.wraps(asyncio.wrap_future, assigned=["__name__"])
def wrap_future_sets_the_result_in_the_other_thread(future: Any, *, loop: Any = None) -> Any:
    """The callback of the concurrent future sets the result at once, in the thread that calls it, not in the loop's.

    Breaks "Almost all asyncio objects are not thread safe" and "To schedule a callback from another OS thread, the
    loop.call_soon_threadsafe() method should be used." (asyncio-dev.html, Concurrency and Multithreading)
    """
    if asyncio.isfuture(future):
        return future
    outer: Any = (loop or asyncio.get_event_loop()).create_future()
    future.add_done_callback(lambda future: hand_on(future, outer))
    outer.add_done_callback(lambda outer: outer.cancelled() and future.cancel())
    return outer


@functools.wraps(asyncio.wrap_future, assigned=["__name__"])
def wrap_future_wraps_any_future(future: Any, *, loop: Any = None) -> Any:
    """A future of asyncio is wrapped in a second one, and not returned as it is.

    Breaks futures.py, wrap_future(): `if isfuture(future): return future`; "Wrap a concurrent.futures.Future object in
    a asyncio.Future object." (asyncio-future.html, wrap_future())
    """
    if not asyncio.isfuture(future):
        return asyncio.wrap_future(future, loop=loop)
    outer = future.get_loop().create_future()
    asyncio.futures._chain_future(future, outer)  # type: ignore[attr-defined]
    return outer


@functools.wraps(asyncio.isfuture, assigned=["__name__"])
def isfuture_knows_only_the_class(obj: Any) -> bool:
    """An object that is like a future, but of no subclass, is no future.

    Breaks "Return True if obj is either of: ... a Future-like object with a _asyncio_future_blocking attribute."
    (asyncio-future.html, isfuture())
    """
    return isinstance(obj, asyncio.Future)


@functools.wraps(asyncio.isfuture, assigned=["__name__"])
def isfuture_takes_what_answers_to_any_name(obj: Any) -> bool:
    """The attribute is looked for in the object: a class of futures, or a proxy for any attribute, is a future.

    Breaks "an instance of asyncio.Future" (asyncio-future.html, isfuture()); base_futures.py:
    `hasattr(obj.__class__, '_asyncio_future_blocking') and obj._asyncio_future_blocking is not None`
    """
    return getattr(obj, "_asyncio_future_blocking", None) is not None


@functools.wraps(asyncio.isfuture, assigned=["__name__"])
def isfuture_takes_the_concurrent_ones(obj: Any) -> bool:
    """A concurrent.futures.Future, which cannot be awaited, is a future too.

    Breaks "Return True if obj is either of: an instance of asyncio.Future, an instance of asyncio.Task, a Future-like
    object with a _asyncio_future_blocking attribute." (asyncio-future.html, isfuture())
    """
    return asyncio.isfuture(obj) or isinstance(obj, concurrent.futures.Future)


class _Gathered(asyncio.Future):  # type: ignore[type-arg]
    inner: Any

    def cancel(self, msg: Any = None) -> bool:
        self.inner.cancel(msg)
        return super().cancel(msg)


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_is_cancelled_before_its_children(*coros_or_futures: Any, return_exceptions: bool = False) -> Any:
    """cancel() of the future that gather() returns cancels it at once, while the awaitables still clean up.

    Breaks tasks.py, _GatheringFuture: "This overrides cancel() to cancel all the children and act more like
    Task.cancel(), which doesn't immediately mark itself as cancelled."
    """
    inner = asyncio.gather(*coros_or_futures, return_exceptions=return_exceptions)
    outer = shield(inner, new=_Gathered, tidy=False)
    if outer is not inner:
        outer.inner = inner
    return outer


class _Guarded(asyncio.Future):  # type: ignore[type-arg]
    children: Any

    def cancel(self, msg: Any = None) -> bool:
        for child in self.children:
            child.cancel(msg)
        return not self.done()


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_cancels_the_others_when_it_is_done(*coros_or_futures: Any, return_exceptions: bool = False) -> Any:
    """cancel() of a gathering future that has failed already cancels the awaitables that still run.

    Breaks "If return_exceptions is false, cancelling gather() after it has been marked done won't cancel any submitted
    awaitables." (asyncio-task.html, gather())
    """
    known: dict[Any, Any] = {aw: asyncio.ensure_future(aw) for aw in coros_or_futures}
    inner = asyncio.gather(*(known[aw] for aw in coros_or_futures), return_exceptions=return_exceptions)
    outer = shield(inner, new=_Guarded, tidy=False)
    if outer is not inner:
        outer.children = list(known.values())
    return outer
