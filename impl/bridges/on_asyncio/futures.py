"""Future and Task: ours, with asyncio's error classes, on any asyncio event loop.

The behaviour of a future or a task is `impl`'s.  This module adds the protocol between asyncio's tasks and the objects
that they await: any object with the attribute `_asyncio_future_blocking`, including asyncio's own futures and tasks in
C.  It also keeps the CancelledError that ended a task, because asyncio raises that same object in the awaiting task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextvars import Context, copy_context
from typing import Any

from ...interfaces import CancelTarget
from ...tasks.future import PENDING
from ...tasks.future import CancelForwarder as OurForwarder
from ...tasks.future import Future as OurFuture
from ...tasks.task import Task as OurTask
from ...tasks.task import endless
from .host import AsyncioSpawner, default_loop, host_of
from .internals import InsideFuture, InsideTask, creation
from .versions import PINNED

# Any in this file: results, and the values that coroutines yield, as in future.py and task.py.


class _Kept:
    """The CancelledError that ended a task: the first await raises this very object, later ones a new one."""

    __slots__ = ("error", "message")

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.message = error.args[0] if error.args else None


class Future(InsideFuture):
    """impl.Future on an asyncio event loop (asyncio.Future)."""

    Cancelled = asyncio.CancelledError
    Invalid = asyncio.InvalidStateError
    _kind = "Future"

    def __init__(self, *, loop: asyncio.AbstractEventLoop | None = None) -> None:
        _must_be_new(self)
        loop = default_loop() if loop is None else loop
        OurFuture.__init__(self, host_of(loop))
        self._source_traceback = creation(loop)

    def get_loop(self) -> Any:
        if not hasattr(self, "_host"):
            raise RuntimeError(f"{self._kind} object is not initialized.")
        return self._host.loop

    def set_exception(self, exception: BaseException | type[BaseException]) -> None:
        if PINNED["StopIteration is refused"] and self._stage == PENDING:
            kind = exception if isinstance(exception, type) else type(exception)
            if kind is StopIteration:
                raise TypeError("StopIteration interacts badly with generators and cannot be raised into a Future")
        OurFuture.set_exception(self, exception)

    def _cancelled_error(self) -> BaseException:
        kept = self._value
        if not isinstance(kept, _Kept):
            return super()._cancelled_error()
        self._value = kept.message
        return kept.error

    def __await__(self) -> Generator[Any, None, Any]:
        if self._stage == PENDING:
            self._asyncio_future_blocking = True
            yield self
            if self._stage == PENDING:
                raise RuntimeError("await wasn't used with future")
        return self.result()

    __iter__ = __await__

    def __del__(self) -> None:
        if self._log_traceback:
            self._log_traceback = False
            self._complain(
                f"{type(self).__name__} exception was never retrieved", exception=self._exception, future=self
            )

    def _complain(self, message: str, **what: Any) -> None:
        if self._source_traceback:
            what["source_traceback"] = self._source_traceback
        self._host.report({"message": message, **what})


def _must_be_new(future: Future) -> None:
    """Refuse a second `__init__` (3.15); `impl` itself does not look, because the look costs as much as the future."""
    if hasattr(future, "_host") and not PINNED["a second __init__ begins again"]:
        raise RuntimeError(f"{type(future).__name__} object is already initialized")


class Task(Future, InsideTask):
    """impl.Task on an asyncio event loop (asyncio.Task)."""

    _kept = _Kept
    _kind = "Task"

    def __init__(
        self,
        coro: Any,
        *,
        loop: asyncio.AbstractEventLoop | None = None,
        name: object = None,
        context: Context | None = None,
        eager_start: bool = False,
    ) -> None:
        _must_be_new(self)
        if not asyncio.iscoroutine(coro):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        loop = default_loop() if loop is None else loop
        self._source_traceback = creation(loop)
        self._log_destroy_pending = True
        OurTask.__init__(
            self,
            coro,
            host_of(loop),
            None if name is None else str(name),
            copy_context() if context is None else context,
            eager_start and loop.is_running(),
        )

    @staticmethod
    def _driven(coro: Any) -> Any:
        return coro

    set_result = OurTask.set_result
    set_exception = OurTask.set_exception

    def _park(self, got: Any) -> None:
        blocking = getattr(got, "_asyncio_future_blocking", None)
        if blocking is None:
            self._refuse(_bad_yield(self, got))
        elif _loop_of(got) is not self.get_loop():
            self._refuse(f"Task {self!r} got Future {got!r} attached to a different loop")
        elif not blocking:
            self._refuse(f"yield was used instead of yield from in task {self!r} with {got!r}")
        elif got is self:
            self._refuse(f"Task cannot await on itself: {self!r}")
        elif cycle := self._cycle_through(got):  # asyncio would park them for ever
            self._refuse(endless(cycle))
        else:
            got._asyncio_future_blocking = False
            got.add_done_callback(self._resume, context=self.context)
            self._waiting = got
            request = self._request
            if request is not None and got.cancel(request.args[0] if request.args else None):  # CANCEL-3
                self._request = None

    def _resume(self, future: object) -> None:
        self.run()

    def __del__(self) -> None:
        if self._stage == PENDING and self._log_destroy_pending:
            self._complain("Task was destroyed but it is pending!", task=self)
        super().__del__()


def _bad_yield(task: Task, got: object) -> str:
    if hasattr(got, "gi_frame"):
        return f"yield was used instead of yield from for generator in task {task!r} with {got!r}"
    return f"Task got bad yield: {got!r}"


def _loop_of(future: Any) -> Any:
    """The loop of a future of any class: older classes have no get_loop."""
    get_loop = getattr(future, "get_loop", None)
    return future._loop if get_loop is None else get_loop()


def create_eager_task_factory(make: Callable[..., Any]) -> Callable[..., Any]:
    """A task factory (loop.set_task_factory): `make` makes tasks that take their first step at once (TASK-14)."""

    def factory(loop: asyncio.AbstractEventLoop, coro: Any, *, eager_start: bool = True, **more: Any) -> Any:
        return make(coro, loop=loop, eager_start=eager_start, **more)

    return factory


eager_task_factory = create_eager_task_factory(Task)


class AsyncioCancelForwarder(Future, OurForwarder):
    """impl.CancelForwarder on an asyncio event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, target: CancelTarget) -> None:
        Future.__init__(self, loop=loop)
        self.target = target

    cancel = OurForwarder.cancel


Task._chained = Task
AsyncioSpawner.CancelForwarder = AsyncioCancelForwarder
