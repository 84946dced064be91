"""Wrong asyncio.Task(eager_start=True), eager_task_factory and create_eager_task_factory: the first step and after."""

from __future__ import annotations

import asyncio
import functools
import sys
from typing import Any

if sys.version_info >= (3, 12):
    _tasks: Any = asyncio.tasks  # Any: the subjects use its private parts
    _Task: Any = _tasks._PyTask

    class TaskThatStartsAsItsCreator(_Task):  # type: ignore[misc]
        """During the eager first step current_task() is still the task that makes the new one.

        Breaks "Return the currently running Task instance" (asyncio-task.html, current_task()); tasks.py,
        __eager_start(): "prev_task = _swap_current_task(self._loop, self)".
        """

        _starts = False

        def _Task__eager_start(self) -> None:
            self._creator, self._starts = asyncio.current_task(self._loop), True
            super()._Task__eager_start()
            del self._creator

        def _Task__step_run_and_handle_result(self, exc: Any) -> None:
            if not self._starts:
                super()._Task__step_run_and_handle_result(exc)
                return
            self._starts = False
            _tasks._swap_current_task(self._loop, self._creator)
            try:
                super()._Task__step_run_and_handle_result(exc)
            finally:
                _tasks._swap_current_task(self._loop, self)

    class TaskThatIsUnknownUntilItSuspends(_Task):  # type: ignore[misc]
        """all_tasks() does not list a task during its eager first step, only when it has suspended.

        Breaks "Return a set of not yet finished Task objects run by the loop." (asyncio-task.html, all_tasks());
        tasks.py, __eager_start(): "_register_eager_task(self)".
        """

        def _Task__step_run_and_handle_result(self, exc: Any) -> None:
            _tasks._unregister_eager_task(self)
            super()._Task__step_run_and_handle_result(exc)

    class TaskThatStartsBeforeTheLoop(_Task):  # type: ignore[misc]
        """With eager_start the first step runs at once even if the loop does not run yet.

        Breaks "If set to True and the event loop is running, the task will start executing the coroutine
        immediately" (asyncio-task.html, Task); tasks.py: "if eager_start and self._loop.is_running()".
        """

        _started = False

        def __init__(self, coro: Any, *, eager_start: bool = False, **options: Any) -> None:
            super().__init__(coro, eager_start=eager_start, **options)
            if eager_start and not self._loop.is_running():
                self._started = True
                self._Task__eager_start()

        def _Task__step(self, exc: Any = None) -> None:
            if self._started:
                self._started = False  # the step that the constructor has scheduled
            else:
                super()._Task__step(exc)

    class TaskThatIsSetUpAfterItsStart(_Task):  # type: ignore[misc]
        """The constructor sets its fields after the eager first step, so a cancel() during that step is lost.

        Breaks "This arranges for a CancelledError exception to be thrown into the wrapped coroutine on the next cycle
        of the event loop." (asyncio-task.html, Task.cancel()); tasks.py sets them before __eager_start().
        """

        def __init__(self, coro: Any, **options: Any) -> None:
            super().__init__(coro, **options)
            self._num_cancels_requested = 0
            self._must_cancel = False

    class TaskThatForgetsWhatItAwaitsFirst(_Task):  # type: ignore[misc]
        """A task that suspends in its eager first step does not know at what: a cancel() waits until that is done.

        Breaks "This arranges for a CancelledError exception to be thrown into the wrapped coroutine on the next cycle
        of the event loop." (asyncio-task.html, Task.cancel()); tasks.py, cancel(): "self._fut_waiter.cancel(msg=msg)".
        """

        def __init__(self, coro: Any, **options: Any) -> None:
            super().__init__(coro, **options)
            self._fut_waiter = None

    _starting: set[Any] = set()

    @functools.wraps(asyncio.eager_task_factory, assigned=["__name__"])
    def eager_task_factory_starts_one_at_a_time(
        loop: Any, coro: Any, *, name: Any = None, context: Any = None
    ) -> Any:
        """A task that is made in the eager first step of another is only scheduled.

        Breaks "When using this factory (via loop.set_task_factory(asyncio.eager_task_factory)), coroutines begin
        execution synchronously during Task construction." (asyncio-task.html, eager_task_factory())
        """
        if loop in _starting:
            return asyncio.Task(coro, loop=loop, name=name, context=context)
        _starting.add(loop)
        try:
            return asyncio.eager_task_factory(loop, coro, name=name, context=context)
        finally:
            _starting.discard(loop)

    @functools.wraps(asyncio.create_eager_task_factory, assigned=["__name__"])
    def create_eager_task_factory_wants_a_class(custom_task_constructor: Any) -> Any:
        """Only a subclass of Task is called; another constructor, such as a function or a partial, is refused.

        Breaks "custom_task_constructor must be a callable with the signature matching the signature of
        Task.__init__. The callable must return a asyncio.Task-compatible object." (asyncio-task.html,
        create_eager_task_factory())
        """
        if not isinstance(custom_task_constructor, type):
            raise TypeError(f"a class was expected, got {custom_task_constructor!r}")
        return asyncio.create_eager_task_factory(custom_task_constructor)
