"""Wrong implementations of functions that wait for several awaitables, or for a limited time."""

from __future__ import annotations

import asyncio
from asyncio import CancelledError, Future
from collections.abc import Iterable
from functools import wraps
from typing import Any

#: typeshed says that it is final.


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
