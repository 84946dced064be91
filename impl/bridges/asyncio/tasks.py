"""asyncio's tasks and futures, those in C, with a number of their loop as their hash.

The order of a set of tasks depends on their hashes.  asyncio's are addresses, which differ from run to run.  These are
numbered from 1 on each loop, so equal runs have equal sets: in `asyncio.wait`, in libraries, in programs.  The names of
tasks are numbered within the loop too, not within the process.  The classes have the names of asyncio's, because the
repr of a task shows them in logs that programs read.

`_fut_waiter`, the future that a task waits for, `_exception` and `_log_traceback` are private to asyncio (CPython 3.11
to 3.15).  Only this module reads them, for the reports of failures; `_asyncio_future_blocking` and
`_log_destroy_pending` are set here only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from types import FrameType
from typing import Any, TypeAlias

from ...sim.frames import frames_of, is_library
from ..simulated_loop import SimLoopBase
from ..simulation import active

#: A result, a coroutine or a context of the program.
Value: TypeAlias = Any


class SimFuture(asyncio.Future[Value]):
    """asyncio.Future with a number as its hash."""

    __slots__ = ("_serial",)

    def __init__(self, *, loop: SimLoopBase) -> None:
        self._serial = loop.serial()
        super().__init__(loop=loop)

    def __hash__(self) -> int:
        return self._serial


class SimTask(asyncio.Task[Value]):
    """asyncio.Task with a number as its hash; its loop refers to it until it is done."""

    __slots__ = ("_serial",)

    def __init__(self, coro: Value, *, loop: SimLoopBase, name: object = None, **more: Value) -> None:
        """`more`: the other parameters of asyncio.Task on this Python: context, eager_start (since 3.12)."""
        self._serial = loop.serial()
        super().__init__(coro, loop=loop, name=loop.task_name() if name is None else str(name), **more)
        if not self.done():  # an eager one may be
            loop.live[self] = None

    @property
    def waits_for(self) -> Value:
        """The future that it waits for; None: it runs, is ready or is done."""
        return getattr(self, "_fut_waiter", None)

    @property
    def failure(self) -> tuple[BaseException | None, bool]:
        """Its error, and whether something has retrieved that; `exception()` would."""
        return getattr(self, "_exception", None), not getattr(self, "_log_traceback", False)

    def __hash__(self) -> int:
        return self._serial


for _class in (SimFuture, SimTask):
    _class.__name__ = _class.__qualname__ = _class.__name__.removeprefix("Sim")


def resolve(future: asyncio.Future[Value]) -> None:
    """Resolve a future with None, unless it is done already: it may have been cancelled."""
    if not future.done():
        future.set_result(None)


def number_of(task: asyncio.Task[Value]) -> int:
    """The number of a task within its loop; 0 for a task of another class, which a task factory may make."""
    return task._serial if isinstance(task, SimTask) else 0


def parked(future: asyncio.Future[Value]) -> Generator[Value, None, None]:
    """Yield a future as its `__await__` in C does: the task parks on it."""
    future._asyncio_future_blocking = True
    yield future


def shown(future: Value) -> tuple[Value, ...]:
    """The values that the repr of a future shows: result, error, callbacks."""
    return future._result, future._exception, *(callback for callback, _ in future._callbacks or ())


def abandon(task: asyncio.Task[Value]) -> None:
    """Close the coroutine of a task that will never go on, and have nothing reported about it.

    Raises:
        BaseException: the error that the coroutine raised instead of ending.
    """
    task._log_destroy_pending = False  # type: ignore[attr-defined]  # private to asyncio
    coroutine = task.get_coro()
    if coroutine is not None:
        coroutine.close()


class TaskView:
    """A task, as the report of a deadlock reads it (sim/deadlock.py)."""

    __slots__ = ("_task",)

    def __init__(self, task: asyncio.Task[Value]) -> None:
        self._task = task

    @property
    def waits_for(self) -> Value:
        return getattr(self._task, "_fut_waiter", None)

    def get_name(self) -> str:
        return self._task.get_name()

    def get_coro(self) -> Value:
        return self._task.get_coro()

    def has_line(self) -> bool:
        """Whether a frame of it is no library's."""
        return any(not is_library(frame.f_code.co_filename) for frame in frames_of(self))


class BlockingTask(TaskView):
    """The task that runs, and blocks the thread of its loop."""

    __slots__ = ("_thing",)

    def __init__(self, task: asyncio.Task[Value], thing: object) -> None:
        super().__init__(task)
        self._thing = thing

    @property
    def waits_for(self) -> Value:
        return self._thing

    def suspended_frames(self) -> list[FrameType]:
        return active()
