"""Tasks and futures of asyncio, the C ones, whose hash is a number of their loop's.

Theory of operation.  A set of tasks is ordered by their hashes; asyncio's own are made of addresses, and differ from
run to run.  These are numbered from 1 on each loop, so that equal runs have equal sets: in `asyncio.wait`, in
libraries, in programs.  Names, too, are given by number within the loop, not within the process.  Their classes are
called as asyncio's are, for a task is shown with the name of its class, in logs that programs read.

What a task waits for is an attribute that asyncio keeps to itself (`_fut_waiter`: CPython 3.11, 3.12 and 3.13); it is
read here, for the report of a deadlock, and nowhere else.
"""

from __future__ import annotations

import asyncio
from typing import Any

from .base import SimLoopBase

# Any in this file: what a task or a future holds, and the coroutine of a task, are the program's.


class SimFuture(asyncio.Future[Any]):
    """asyncio.Future with a hash that no address is in."""

    __slots__ = ("_serial",)

    def __init__(self, *, loop: SimLoopBase) -> None:
        self._serial = loop.serial()
        super().__init__(loop=loop)

    def __hash__(self) -> int:
        return self._serial


class SimTask(asyncio.Task[Any]):
    """asyncio.Task with a hash that no address is in; its loop holds it until it is done."""

    __slots__ = ("_serial",)

    def __init__(self, coro: Any, *, loop: SimLoopBase, name: object = None, **more: Any) -> None:
        """`more`: what asyncio.Task takes on this Python: context, eager_start (since 3.12)."""
        self._serial = loop.serial()
        super().__init__(coro, loop=loop, name=loop.task_name() if name is None else str(name), **more)
        if not self.done():  # an eager one may be
            loop.live[self] = None

    def __hash__(self) -> int:
        return self._serial


for _class in (SimFuture, SimTask):
    _class.__name__ = _class.__qualname__ = _class.__name__.removeprefix("Sim")


def resolve(future: asyncio.Future[Any]) -> None:
    """Resolve a future with None, unless it is done already (cancelled, that is)."""
    if not future.done():
        future.set_result(None)


def number_of(task: asyncio.Task[Any]) -> int:
    """The number of a task within its loop; 0: a task factory of the program's made one of another class."""
    return task._serial if isinstance(task, SimTask) else 0


class Shown:
    """A task as a report of a deadlock wants it (deadlock.py)."""

    __slots__ = ("_task",)

    def __init__(self, task: asyncio.Task[Any]) -> None:
        self._task = task

    @property
    def waits_for(self) -> Any:
        return getattr(self._task, "_fut_waiter", None)

    def get_name(self) -> str:
        return self._task.get_name()

    def get_coro(self) -> Any:
        return self._task.get_coro()
