"""Wrong tasks, and wrong functions that make, list and pause them."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Coroutine
from typing import Any

from ._parts import Future, Task
from ._parts import all_tasks as _all_tasks
from ._parts import current_task as _current_task
from ._parts import sleep as _sleep


class NamesAnyObject(Task):
    """A task whose set_name() keeps an object that is not a string.

    Breaks asyncio-task, Task.set_name(): "The value argument can be any object, which is then converted to a string."
    """

    def set_name(self, value: object) -> None:
        self._name = value


class TakesAResult(Task):
    """A task whose result can be set from outside.

    Breaks asyncio-task, Task: "asyncio.Task inherits from Future all of its APIs except Future.set_result() and
    Future.set_exception()."
    """

    def set_result(self, result: Any) -> None:
        Future.set_result(self, result)

    def _Task__step(self, exc: Any = None) -> None:
        if not self.done():
            super()._Task__step(exc)


class WrapsErrors(Task):
    """A task that raises a RuntimeError caused by its coroutine's error instead of that error.

    Breaks asyncio-task, Task.exception(): "If the wrapped coroutine raised an exception that exception is returned."
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        super().__init__(self._wrapped(coro), **options)

    @staticmethod
    async def _wrapped(coro: Any) -> Any:
        try:
            return await coro
        except Exception as error:
            raise RuntimeError("the task failed") from error


@functools.wraps(asyncio.all_tasks, assigned=["__name__"])
def all_tasks_but_the_caller(loop: asyncio.AbstractEventLoop | None = None) -> set[asyncio.Task[Any]]:
    """An all_tasks() that leaves out the task that calls it.

    Breaks asyncio-task, all_tasks(): "Return a set of not yet finished Task objects run by the loop."
    """
    found: set[asyncio.Task[Any]] = _all_tasks(loop)
    return found - {_current_task(loop)}


@functools.wraps(asyncio.current_task, assigned=["__name__"])
def current_task_or_any(loop: asyncio.AbstractEventLoop | None = None) -> asyncio.Task[Any] | None:
    """A current_task() that names some unfinished task when none runs.

    Breaks asyncio-task, current_task(): "Return the currently running Task instance, or None if no task is running."
    """
    found: asyncio.Task[Any] | None = _current_task(loop)
    return found or min(_all_tasks(loop), key=asyncio.Task.get_name, default=None)


@functools.wraps(asyncio.create_task, assigned=["__name__"])
def create_task_without_name(
    coro: Coroutine[Any, Any, Any], *, name: str | None = None, context: Any = None
) -> asyncio.Task[Any]:
    """A create_task() that ignores the name.

    Breaks asyncio-task, create_task(): "If name is not None, it is set as the name of the task using
    Task.set_name()."
    """
    return asyncio.get_running_loop().create_task(coro, context=context)


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_forgets_the_result(delay: float, result: Any = None) -> Any:
    """A sleep() whose shortcut for a delay of 0 forgets the result.

    Breaks asyncio-task, sleep(): "If result is provided, it is returned to the caller when the coroutine completes."
    """
    if delay <= 0:
        return await _sleep(0)
    return await _sleep(delay, result)


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_blocks(delay: float, result: Any = None) -> Any:
    """A sleep() that keeps the loop for itself until its time is over.

    Breaks asyncio-task, sleep(): "sleep() always suspends the current task, allowing other tasks to run."
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + min(delay, 0.01)
    for _ in range(10_000):  # bounded, also on a clock that stands still while code runs
        if loop.time() >= until:
            break
    return result
