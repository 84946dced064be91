"""Wrong Task, create_task, ensure_future, all_tasks, current_task and sleep."""

from __future__ import annotations

import asyncio
import functools
from typing import Any


@functools.wraps(asyncio.create_task, assigned=["__name__"])
def create_task_takes_an_empty_context_for_none(coro: Any, *, name: Any = None, context: Any = None) -> Any:
    """A context without variables is false, so the task gets a copy of the current one instead of it.

    Breaks "An optional keyword-only context argument allows specifying a custom contextvars.Context for the coro to
    run in. The current context copy is created when no context is provided." (asyncio-task.html, create_task())
    """
    return asyncio.create_task(coro, name=name, context=context or None)


@functools.wraps(asyncio.all_tasks, assigned=["__name__"])
def all_tasks_leaves_out_the_cancelled(loop: Any = None) -> set[Any]:
    """A task that was asked to cancel is left out at once, though it still runs its clean-up.

    Breaks "Return a set of not yet finished Task objects run by the loop." (asyncio-task.html, all_tasks())
    """
    return {task for task in asyncio.all_tasks(loop) if not task.cancelling()}


@functools.wraps(asyncio.current_task, assigned=["__name__"])
def current_task_ignores_the_loop(loop: Any = None) -> Any:
    """Asked for another loop, it returns the task that runs on this one.

    Breaks "Return the currently running Task instance, or None if no task is running. If loop is None
    get_running_loop() is used to get the current loop." (asyncio-task.html, current_task()); with a loop, it is that
    loop's task, tasks.py: "return _current_tasks.get(loop)"
    """
    return asyncio.current_task()
