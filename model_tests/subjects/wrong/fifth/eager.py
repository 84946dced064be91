"""Wrong eager tasks: eager_task_factory, create_eager_task_factory and Task(eager_start=True)."""

from __future__ import annotations

import asyncio
import functools
import sys
from typing import Any

if sys.version_info >= (3, 12):
    _PyTask: Any = asyncio.tasks._PyTask  # type: ignore[attr-defined]
    _tasks: Any = asyncio.tasks  # Any: the subjects use its private parts

    @functools.wraps(asyncio.eager_task_factory, assigned=["__name__"])
    def eager_task_factory_drops_the_context(
        loop: Any, coro: Any, *, name: Any = None, context: Any = None
    ) -> Any:
        """The factory takes a context, but does not hand it on: the coroutine runs in a copy of the current one.

        Breaks "An optional keyword-only context argument allows specifying a custom contextvars.Context for the coro
        to run in." (asyncio-task.html, create_task()); tasks.py, factory(): "context=context"
        """
        return asyncio.Task(coro, loop=loop, name=name, eager_start=True)

    @functools.wraps(asyncio.create_eager_task_factory, assigned=["__name__"])
    def create_eager_task_factory_ignores_the_constructor(custom_task_constructor: Any) -> Any:
        """The factory makes plain tasks, whatever the constructor that was given.

        Breaks "Create an eager task factory, similar to eager_task_factory(), using the provided
        custom_task_constructor when creating a new task instead of the default Task." (asyncio-task.html,
        create_eager_task_factory())
        """

        def factory(loop: Any, coro: Any, *, name: Any = None, context: Any = None) -> Any:
            return asyncio.Task(coro, loop=loop, name=name, context=context, eager_start=True)

        return factory

    class TaskThatStartsEagerlyAsItsCreator(_PyTask):  # type: ignore[misc]
        """During the eager start current_task() is still the task that creates this one.

        Breaks "Return the currently running Task instance" (asyncio-task.html, current_task()); tasks.py,
        __eager_start(): "prev_task = _swap_current_task(self._loop, self)"
        """

        def _Task__eager_start(self) -> None:
            _tasks._register_eager_task(self)
            try:
                self._context.run(self._Task__step_run_and_handle_result, None)
            finally:
                _tasks._unregister_eager_task(self)
            if not self.done():
                _tasks._register_task(self)

    class TaskThatStartsEagerlyInTheContextOfItsCreator(_PyTask):  # type: ignore[misc]
        """The eager start runs in the context of the creator, not in the task's: what it sets leaks out.

        Breaks "If no context is provided, the Task copies the current context and later runs its coroutine in the
        copied context." (asyncio-task.html, Task); tasks.py, __eager_start(): "self._context.run(...)"
        """

        def _Task__eager_start(self) -> None:
            before = _tasks._swap_current_task(self._loop, self)
            _tasks._register_eager_task(self)
            try:
                self._Task__step_run_and_handle_result(None)
            finally:
                _tasks._unregister_eager_task(self)
                _tasks._swap_current_task(self._loop, before)
            if not self.done():
                _tasks._register_task(self)

    class TaskThatIsUnknownAfterItsEagerStart(_PyTask):  # type: ignore[misc]
        """A task that waits after its eager start is not among all_tasks(), so the end of the loop forgets it.

        Breaks "Return a set of not yet finished Task objects run by the loop." (asyncio-task.html, all_tasks());
        tasks.py, __eager_start(): "_register_task(self)", unless it is done
        """

        def _Task__eager_start(self) -> None:
            super()._Task__eager_start()
            _tasks._unregister_task(self)
