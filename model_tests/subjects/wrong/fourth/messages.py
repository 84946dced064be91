"""Wrong messages of cancel() and wrong chains of errors: Task, Future, gather, shield, timeout, wait_for, TaskGroup."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from .._parts import Future, Task, TaskGroup, Timeout, hand_on, shield


class FutureThatDropsAnEmptyMessage(Future):
    """A message that is false, as "" or 0, is taken for no message.

    Breaks futures.py, Future._make_cancelled_error(): `if self._cancel_message is None`, else
    `exceptions.CancelledError(self._cancel_message)`; "Added the msg parameter." (asyncio-future.html, cancel())
    """

    def cancel(self, msg: Any = None) -> bool:
        return bool(super().cancel(msg=msg or None))


class TaskThatCutsTheChain(Task):
    """The awaiter gets a CancelledError like that of the coroutine, but without its cause and its context.

    Breaks tasks.py, Task.__step(): "Save the original exception so we can chain it later."
    """

    def _make_cancelled_error(self) -> BaseException:
        return asyncio.CancelledError(*super()._make_cancelled_error().args)


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_lists_bare_errors(*aws: Any, return_exceptions: bool = False) -> Any:
    """With return_exceptions, the CancelledError in the list has not the message with which a future was cancelled.

    Breaks tasks.py, gather(): `exceptions.CancelledError('' if fut._cancel_message is None else fut._cancel_message)`
    """

    def list_bare(done: Any) -> None:
        if not done.cancelled() and done.exception() is None:
            results = done.result()
            results[:] = map(_bare, results, aws)

    outer = asyncio.gather(*aws, return_exceptions=return_exceptions)
    if return_exceptions and outer.done():
        list_bare(outer)
    elif return_exceptions:
        outer.add_done_callback(list_bare)
    return outer


def _bare(result: Any, aw: Any) -> Any:
    return asyncio.CancelledError("") if asyncio.isfuture(aw) and aw.cancelled() else result


class _Shield(asyncio.Future[Any]):
    def cancel(self, msg: Any = None) -> bool:
        return super().cancel()


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_keeps_the_message(arg: Any) -> Any:
    """A task that is cancelled while it awaits shield() gets a CancelledError without the message.

    Breaks "From the point of view of something(), the cancellation did not happen. Although its caller is still
    cancelled, so the "await" expression still raises a CancelledError." (asyncio-task.html, shield()); tasks.py,
    shield(): the outer is a plain future of loop.create_future(), which keeps the message of its cancel().
    """
    return shield(arg, new=_Shield)


def _hand_on_a_copy(inner: Any, outer: Any) -> None:
    if outer.cancelled() or inner.cancelled() or (error := inner.exception()) is None:
        hand_on(inner, outer)
    else:
        outer.set_exception(copy := type(error)(*error.args))
        copy.__traceback__ = error.__traceback__


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_copies_the_error(arg: Any) -> Any:
    """The error that is raised is a copy, without the cause and the attributes of the one that the task raised.

    Breaks "The statement: res = await shield(task) is equivalent to: res = await something()" (asyncio-task.html,
    shield()); tasks.py, shield(): `outer.set_exception(exc)`.
    """
    return shield(arg, _hand_on_a_copy)


class _RaisesANewError(Timeout):
    async def __aexit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> Any:
        await super().__aexit__(exc_type, exc_val, exc_tb)
        if exc_type is not None and issubclass(exc_type, asyncio.CancelledError) and not self.expired():
            raise asyncio.CancelledError  # of another


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_renews_a_foreign_cancellation(delay: float | None) -> Any:
    """A block that is cancelled before its deadline raises a new CancelledError, without the message of cancel().

    Breaks timeouts.py, Timeout.__aexit__(): "return None" for what is not its own, so that the error propagates;
    "In case asyncio.CancelledError is explicitly caught, it should generally be propagated when clean-up is
    complete." (asyncio-task.html, Task Cancellation)
    """
    return _RaisesANewError(None if delay is None else asyncio.get_running_loop().time() + delay)


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_no_time_hides_the_cause(fut: Any, timeout: float | None) -> Any:
    """With a timeout of zero or less the TimeoutError has no cause; with a longer one it has.

    Breaks tasks.py, wait_for(): `except exceptions.CancelledError as exc: raise TimeoutError from exc` in the branch
    `if timeout is not None and timeout <= 0`.
    """
    if timeout is None or timeout > 0:
        return await asyncio.wait_for(fut, timeout)
    fut = asyncio.ensure_future(fut)
    if not fut.done():
        fut.cancel()
        await asyncio.wait({fut})
        if fut.cancelled():
            raise TimeoutError
    return fut.result()


class TaskGroupThatBlamesTheFirstError(TaskGroup):
    """The exception group names the first of its errors as its cause too.

    Breaks taskgroups.py, TaskGroup.__aexit__(): `raise me from None`.
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup as group:
            if group is exc:
                raise
            raise group from group.exceptions[0]


class TaskGroupThatFlattensGroups(TaskGroup):
    """A task that fails with an exception group: its members are taken out, and the group's message is lost.

    Breaks "those exceptions are combined in an ExceptionGroup or BaseExceptionGroup (as appropriate; see their
    documentation) which is then raised." (asyncio-task.html, Task Groups)
    """

    def _on_task_done(self, task: Any) -> None:
        super()._on_task_done(task)
        errors = self._errors
        if errors and isinstance(errors[-1], BaseExceptionGroup):
            errors[-1:] = errors[-1].exceptions
