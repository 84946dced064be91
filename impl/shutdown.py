"""What a program leaves behind when it returns: tasks to wait for, and asynchronous generators to close.

An asynchronous generator that is not exhausted holds a `finally` that may await, so only a loop can run it.  The
interpreter calls a hook of the loop when such a generator starts, and another when it is dropped before its end
(`sys.set_asyncgen_hooks`).  A dropped one is closed by a task at once; the others are closed when the program has
returned, in the order in which they started: that order is visible to the program, so a weak set will not do.

Source: CPython documentation of 3.13, `loop.shutdown_asyncgens`; PEP 525, "Finalization".
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Iterable
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from .tasks.task import Task

#: Generators and tasks whose values have any type.
AnyGenerator: TypeAlias = AsyncGenerator[Any, Any]
AnyTask: TypeAlias = Task[Any]


class Begun:
    """The asynchronous generators that started on a loop and may not be exhausted; it holds them weakly."""

    __slots__ = ("_by_id",)

    def __init__(self) -> None:
        self._by_id: WeakValueDictionary[int, AnyGenerator] = WeakValueDictionary()

    def add(self, generator: AnyGenerator) -> None:
        self._by_id[id(generator)] = generator

    def remove(self, generator: AnyGenerator) -> None:
        self._by_id.pop(id(generator), None)

    def take(self) -> list[AnyGenerator]:
        """Remove and return those that are alive, in the order in which they started."""
        alive = list(self._by_id.values())
        self._by_id.clear()
        return alive


async def all_done(tasks: Iterable[AnyTask]) -> None:
    """Wait until every task is done, and raise none of their exceptions."""
    for task in tasks:
        if not task.done():
            await _Over(task)


class _Over:
    """Awaiting it waits until a task is done and does not read its result, so no exception is raised again."""

    __slots__ = ("_task",)

    def __init__(self, task: AnyTask) -> None:
        self._task = task

    def __await__(self) -> Generator[AnyTask, None, None]:
        yield self._task
