"""Wrong asyncio.Task, create_task, ensure_future, sleep, all_tasks, current_task and shield: edges and own requests."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import math
from typing import Any

from .._parts import Future, Task


class TaskThatKeepsSystemExitToItself(Task):
    """SystemExit and KeyboardInterrupt of the coroutine are stored in the task, but do not stop the loop.

    Breaks tasks.py, Task.__step(): "except (KeyboardInterrupt, SystemExit) as exc: super().set_exception(exc); raise".
    """

    def _Task__step(self, exc: Any = None) -> None:
        try:
            super()._Task__step(exc)
        except (KeyboardInterrupt, SystemExit):
            pass


class TaskThatCutsTheTracebackAtTheOldEnd(Task):
    """get_stack(limit=n) of a task that failed returns the newest frames of the traceback, as it does of a stack.

    Breaks "the newest frames of a stack are returned, but the oldest frames of a traceback are returned. (This
    matches the behavior of the traceback module.)" (asyncio-task.html, Task.get_stack())
    """

    def get_stack(self, *, limit: int | None = None) -> list[Any]:
        frames: list[Any] = super().get_stack()
        return frames if limit is None else frames[max(len(frames) - limit, 0) :]


class TaskThatReturnsThoughItCancelledItself(Task):
    """A task that is cancelled in the very step in which its coroutine returns has a result and is not cancelled.

    Breaks tasks.py, Task.__step(): "Task is cancelled right before coro stops."; cancel() has returned True.
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        super().__init__(coro, **options)
        self._given = coro
        self._coro = self._finish(coro)

    def get_coro(self) -> Any:
        return self._given

    async def _finish(self, coro: Any) -> Any:
        result = await coro
        self._must_cancel = False
        return result


class TaskThatWaitsBeforeItIsCancelled(Task):
    """A cancel() that a task gets while it runs counts from its next step, so it first waits for what it awaits next.

    Breaks "This arranges for a CancelledError exception to be thrown into the wrapped coroutine on the next cycle of
    the event loop." (asyncio-task.html, Task.cancel()); tasks.py, __step(): "if self._must_cancel: if
    self._fut_waiter.cancel(...)".
    """

    _requested: Any = None

    def cancel(self, msg: Any = None) -> bool:
        if not self.done() and asyncio.current_task(self._loop) is self:
            self._num_cancels_requested += 1
            self._requested = [msg]
            return True
        return bool(super().cancel(msg))

    def _Task__step(self, exc: Any = None) -> None:
        if self._requested:
            self._must_cancel, self._cancel_message = True, self._requested.pop()
        super()._Task__step(exc)


class TaskThatEndsAtABadAwait(Task):
    """An await that is refused, as of the task itself or of another loop's future, ends the task; no `except` helps.

    Breaks tasks.py, Task.__step(): "new_exc = RuntimeError(f'Task cannot await on itself: {self!r}');
    self._loop.call_soon(self.__step, new_exc, ...)": the error is raised in the coroutine, at the await.
    """

    def _Task__step(self, exc: Any = None) -> None:
        if isinstance(exc, RuntimeError) and self._fut_waiter is None:
            self._coro.close()
            Future.set_exception(self, exc)
        else:
            super()._Task__step(exc)


@functools.wraps(asyncio.create_task, assigned=["__name__"])
def create_task_bypasses_the_factory(coro: Any, *, name: Any = None, context: Any = None) -> Any:
    """It makes a Task by itself, and does not ask the loop, which may have a task factory.

    Breaks "Set a task factory that will be used by loop.create_task()." (asyncio-eventloop.html,
    loop.set_task_factory()); tasks.py, create_task(): "task = loop.create_task(coro, name=name)".
    """
    return asyncio.Task(coro, loop=asyncio.get_running_loop(), name=name, context=context)


@functools.wraps(asyncio.ensure_future, assigned=["__name__"])
def ensure_future_wraps_what_is_like_a_future(coro_or_future: Any, *, loop: Any = None) -> Any:
    """Only instances of asyncio's classes are returned as they are; other future-like objects become a task.

    Breaks "obj argument as is, if obj is a Future, a Task, or a Future-like object (isfuture() is used for the
    test.)" (asyncio-future.html, ensure_future())
    """
    if asyncio.isfuture(coro_or_future) and not isinstance(coro_or_future, (asyncio.Future, Future)):
        return asyncio.ensure_future(_await(coro_or_future), loop=loop)
    return asyncio.ensure_future(coro_or_future, loop=loop)


async def _await(awaitable: Any) -> Any:
    return await awaitable


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_returns_when_cancelled(delay: float, result: Any = None) -> Any:
    """A cancellation only ends the sleep early: it returns its result, and the task runs on.

    Breaks "asyncio.CancelledError ... In almost all situations the exception must be re-raised."
    (asyncio-exceptions.html); tasks.py, sleep(): "try: return await future finally: h.cancel()".
    """
    try:
        return await asyncio.sleep(delay, result)
    except asyncio.CancelledError:
        return result


_alarms: dict[Any, Any] = {}


def _ring(key: Any) -> None:
    alarm = _alarms.pop(key)
    if not alarm.done():
        alarm.set_result(None)


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_shares_its_alarm(delay: float, result: Any = None) -> Any:
    """Sleeps that end in the same hundredth of a second await one future, so a cancel() of one task ends them all.

    Breaks "Block for delay seconds." (asyncio-task.html, sleep()); tasks.py, sleep(): "future = loop.create_future()".
    """
    if delay <= 0:
        return await asyncio.sleep(delay, result)
    loop = asyncio.get_running_loop()
    key = loop, math.ceil((loop.time() + delay) * 100) / 100
    if key not in _alarms:
        _alarms[key] = loop.create_future()
        loop.call_at(key[1], _ring, key)
    await _alarms[key]
    return result


@functools.wraps(asyncio.all_tasks, assigned=["__name__"])
def all_tasks_wants_a_running_loop(loop: Any = None) -> set[Any]:
    """The loop that is given is ignored: the tasks are always those of the loop that runs.

    Breaks "If loop is None, get_running_loop() is used for getting current loop." (asyncio-task.html, all_tasks())
    """
    return asyncio.all_tasks(asyncio.get_running_loop())


@functools.wraps(asyncio.all_tasks, assigned=["__name__"])
def all_tasks_begins_with_the_first_step(loop: Any = None) -> set[Any]:
    """A task is listed only once its coroutine has started.

    Breaks "Return a set of not yet finished Task objects run by the loop." (asyncio-task.html, all_tasks())
    """
    return {
        task
        for task in asyncio.all_tasks(loop)
        if getattr(task.get_coro(), "cr_frame", None) is None
        or inspect.getcoroutinestate(task.get_coro()) != inspect.CORO_CREATED  # type: ignore[arg-type]
    }


_latest: contextvars.ContextVar[Any] = contextvars.ContextVar("_latest", default=None)


@functools.wraps(asyncio.current_task, assigned=["__name__"])
def current_task_comes_with_the_context(loop: Any = None) -> Any:
    """It is kept in a context variable, so that a callback finds the task that scheduled it, though none runs.

    Breaks "Return the currently running Task instance, or None if no task is running." (asyncio-task.html,
    current_task())
    """
    task = asyncio.current_task(loop)
    if task is None and loop is None:
        return _latest.get()
    if loop is None:
        _latest.set(task)
    return task


@functools.wraps(asyncio.shield, assigned=["__name__"])
async def shield_schedules_when_awaited(arg: Any) -> Any:
    """It is a coroutine function, so a coroutine that it shields does not start before the shield is awaited.

    Breaks "If aw is a coroutine it is automatically scheduled as a Task." (asyncio-task.html, shield());
    tasks.py, shield(): "inner = ensure_future(arg)" in a plain function.
    """
    return await asyncio.shield(arg)


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_is_transparent_to_coroutines(arg: Any) -> Any:
    """Futures and tasks are shielded; a coroutine gets a task that is cancelled along with the caller.

    Breaks "If aw is a coroutine it is automatically scheduled as a Task." and "except that if the coroutine containing
    it is cancelled, the Task running in something() is not cancelled" (asyncio-task.html, shield())
    """
    inner = asyncio.ensure_future(arg)
    return asyncio.shield(inner) if inner is arg else inner


@functools.wraps(asyncio.run_coroutine_threadsafe, assigned=["__name__"])
def run_coroutine_threadsafe_lets_a_cancelled_task_run(coro: Any, loop: Any) -> Any:
    """A cancel() of the future that it returns does not reach the task in the loop.

    Breaks "It can also be used to cancel the task in the event loop" (asyncio-task.html, run_coroutine_threadsafe())
    """
    if not asyncio.iscoroutine(coro):
        raise TypeError("A coroutine object is required")

    async def shielded() -> Any:
        return await asyncio.shield(coro)

    return asyncio.run_coroutine_threadsafe(shielded(), loop)
