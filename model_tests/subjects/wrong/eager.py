"""Wrong eager tasks (Python 3.12 and newer)."""

from __future__ import annotations

import asyncio
import functools
import sys
from typing import Any

from ._parts import Task

if sys.version_info >= (3, 12):
    _step: Any = Task._Task__step_run_and_handle_result
    _make_factory: Any = asyncio.create_eager_task_factory

    class StartsWithoutContext(Task):
        """A task whose eager part runs in the context of its maker.

        Breaks asyncio-task, Task: "If no context is provided, the Task copies the current context and later runs its
        coroutine in the copied context."
        """

        def _Task__eager_start(self) -> None:
            context, self._context = self._context, _HereOnly()
            try:
                super()._Task__eager_start()
            finally:
                self._context = context

    class _HereOnly:
        """A context that runs code in the context of the caller."""

        def run(self, function: Any, *args: Any) -> Any:
            return function(*args)

    class HiddenUntilDone(Task):
        """A task that all_tasks() does not list if it was started eagerly.

        Breaks asyncio-task, all_tasks(): "Return a set of not yet finished Task objects run by the loop."
        """

        def _Task__eager_start(self) -> None:
            super()._Task__eager_start()
            asyncio.tasks._unregister_task(self)  # type: ignore[arg-type]  # a task in Python

    class RaisesWhenMade(Task):
        """A task that raises the error of its eager part at the code that made it.

        Breaks asyncio-task, eager_task_factory(): "If the coroutine completes during its construction, returning or
        raising, the task is finished", with the error in the task.
        """

        def _Task__eager_start(self) -> None:
            super()._Task__eager_start()
            if self.done() and not self.cancelled() and (error := self.exception()):
                raise error

    class DoneTooLate(Task):
        """A task that ends in its eager part, but is done in the next iteration only.

        Breaks asyncio-task, eager_task_factory(): "coroutines begin execution synchronously during Task construction.
        Tasks are only scheduled on the event loop if they block."
        """

        def __init__(self, coro: Any, **options: Any) -> None:
            super().__init__(self._ended(coro) if options.get("eager_start") else coro, **options)

        @staticmethod
        async def _ended(coro: Any) -> Any:
            result = await coro
            await asyncio.sleep(0)
            return result

    @functools.wraps(asyncio.eager_task_factory, assigned=[])
    def eager_task_factory_starts_late(loop: Any, coro: Any, *, name: Any = None, context: Any = None) -> Any:
        """An eager_task_factory() whose tasks are scheduled like any other.

        Breaks asyncio-task, eager_task_factory(): "coroutines begin execution synchronously during Task construction."
        """
        return asyncio.Task(coro, loop=loop, name=name, context=context)

    @functools.wraps(asyncio.eager_task_factory, assigned=[])
    def eager_task_factory_drops_contexts(
        loop: Any, coro: Any, *, name: Any = None, context: Any = None
    ) -> Any:
        """An eager_task_factory() that ignores the context.

        Breaks asyncio-task, create_task(): "An optional keyword-only context argument allows specifying a custom
        contextvars.Context for the coro to run in."
        """
        return asyncio.Task(coro, loop=loop, name=name, eager_start=True)

    @functools.wraps(asyncio.create_eager_task_factory, assigned=["__name__"])
    def create_eager_task_factory_of_one_kind(custom_task_constructor: Any) -> Any:
        """A create_eager_task_factory() that makes asyncio's tasks, whatever constructor it is given.

        Breaks asyncio-task, create_eager_task_factory(): "Create an eager task factory, similar to
        eager_task_factory(), using the provided custom_task_constructor when creating a new task."
        """
        return _make_factory(asyncio.Task)

    for _made in (
        eager_task_factory_starts_late,
        eager_task_factory_drops_contexts,
    ):
        # The factory that asyncio has is the inner function of another one, and has its name.
        _made.__name__ = "eager_task_factory"
