"""asyncio's names, implemented by `impl`, on any asyncio event loop: `from impl.bridges import asyncio_names as asyncio`.

Theory of operation.  Nothing is decided here.  Futures and tasks are ours with what asyncio's own code demands of them
(asyncio_inside.py) and with its error classes; their host is a loop of asyncio's (asyncio_host.py).  Primitives and
combinators find that host by themselves, and need at most error classes.  What a Python version's own documentation or
tests pin to that version is switched by one table, `PINNED`; all else is CPython 3.13's everywhere.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio import base_tasks, events
from collections.abc import Generator
from contextvars import Context, copy_context
from typing import Any, Final

from ..barrier import Barrier as OurBarrier
from ..future import PENDING
from ..future import Future as OurFuture
from ..queue import Queue as OurQueue
from ..queues import LifoQueue as OurLifoQueue
from ..queues import PriorityQueue as OurPriorityQueue
from ..task import Task as OurTask
from .asyncio_host import host_of
from .asyncio_inside import InsideFuture, InsideTask, creation

# Any in this file: what a future holds and a coroutine yields is its own affair, as in future.py and task.py.

#: Whether this Python does what a version's documentation or tests pin to it; the rest is 3.13's everywhere.
PINNED: Final = {
    # gh-112182: set_exception(StopIteration) is refused before 3.13, and stored as a RuntimeError since.
    "StopIteration is refused": sys.version_info < (3, 13),
}


class _Kept:
    """The CancelledError that ended a task: who awaits it gets this very one, once, and then others like it."""

    __slots__ = ("error", "message")

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.message = error.args[0] if error.args else None


class Future(InsideFuture):
    """impl.Future on an asyncio event loop (asyncio.Future)."""

    Cancelled = asyncio.CancelledError
    Invalid = asyncio.InvalidStateError

    def __init__(self, *, loop: asyncio.AbstractEventLoop | None = None) -> None:
        loop = _default_loop() if loop is None else loop
        OurFuture.__init__(self, host_of(loop))
        self._source_traceback = creation(loop)

    def get_loop(self) -> Any:
        if not hasattr(self, "_host"):
            raise RuntimeError(f"{type(self).__name__} object is not initialized.")
        return self._host.loop

    def set_exception(self, exception: BaseException | type[BaseException]) -> None:
        if PINNED["StopIteration is refused"] and self._stage == PENDING:
            kind = exception if isinstance(exception, type) else type(exception)
            if kind is StopIteration:
                raise TypeError(
                    "StopIteration interacts badly with generators and cannot be raised into a Future"
                )
        super().set_exception(exception)

    def cancel(self, msg: Any = None) -> bool:
        self._log_traceback = False
        return super().cancel(msg)

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


class Task(Future, InsideTask):
    """impl.Task on an asyncio event loop (asyncio.Task)."""

    _kept = _Kept

    def __init__(
        self,
        coro: Any,
        *,
        loop: asyncio.AbstractEventLoop | None = None,
        name: object = None,
        context: Context | None = None,
    ) -> None:
        loop = _default_loop() if loop is None else loop
        self._source_traceback = creation(loop)
        OurTask.__init__(
            self,
            coro,
            host_of(loop),
            None if name is None else str(name),
            copy_context() if context is None else context,
        )
        self._log_destroy_pending = True

    @staticmethod
    def _driven(coro: Any) -> Any:
        if not asyncio.iscoroutine(coro):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        return coro

    def get_stack(self, *, limit: int | None = None) -> list[Any]:
        return base_tasks._task_get_stack(self, limit)

    def print_stack(self, *, limit: int | None = None, file: Any = None) -> None:
        base_tasks._task_print_stack(self, limit, file)

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
        else:
            got._asyncio_future_blocking = False
            got.add_done_callback(self._resume, context=self.context)
            self._waiting = got
            request = self._request
            if request is not None and got.cancel(request.args[0] if request.args else None):  # CANCEL-3
                self._request = None

    def _resume(self, future: object) -> None:
        self.run()

    def __repr__(self) -> str:
        return base_tasks._task_repr(self)

    def __del__(self) -> None:
        if self._stage == PENDING and self._log_destroy_pending:
            self._complain("Task was destroyed but it is pending!", task=self)
        super().__del__()


def _bad_yield(task: Task, got: object) -> str:
    if hasattr(got, "gi_frame"):
        return f"yield was used instead of yield from for generator in task {task!r} with {got!r}"
    return f"Task got bad yield: {got!r}"


def _loop_of(future: Any) -> Any:
    """The loop of a future of any class: old ones have no get_loop."""
    get_loop = getattr(future, "get_loop", None)
    return future._loop if get_loop is None else get_loop()


def _default_loop() -> Any:
    return getattr(events, "_get_event_loop", events.get_event_loop)()


# --- queues and locks ---------------------------------------------------------------------------------------


class Barrier(OurBarrier):
    Broken = asyncio.BrokenBarrierError


class Queue(OurQueue[Any]):
    Empty = asyncio.QueueEmpty
    Full = asyncio.QueueFull


class LifoQueue(Queue, OurLifoQueue[Any]):
    pass


class PriorityQueue(Queue, OurPriorityQueue[Any]):
    pass
