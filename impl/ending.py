"""How a program ends that has returned: the tasks it left are cancelled, its asynchronous generators finished.

Theory of operation.
1.  What is left is asked to cancel, in order of creation, and waited for, whatever becomes of it (RUN-1).  A task
    that raises something else by then has nobody left to tell: that is reported.
2.  An asynchronous generator that was left half-way holds a `finally` that waits: only the loop can run it.  The
    interpreter tells the loop of each that begins (`sys.set_asyncgen_hooks`), and of each that is dropped
    unfinished, which is then closed by a task; those that are still held by somebody are closed in the end.
    They are kept weakly and in order of their beginning, for the order in which they are closed is to be seen.

Source: CPython documentation of 3.13, "Runners", `loop.shutdown_asyncgens`; PEP 525, "Finalization".
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from .loop import Loop
    from .task import Task

# Any in this file: tasks and generators of any type.


class Begun:
    """The asynchronous generators that were begun on a loop and may be unfinished; it does not keep them alive."""

    __slots__ = ("_by_id",)

    def __init__(self) -> None:
        self._by_id: WeakValueDictionary[int, AsyncGenerator[Any, Any]] = WeakValueDictionary()

    def add(self, generator: AsyncGenerator[Any, Any]) -> None:
        self._by_id[id(generator)] = generator

    def remove(self, generator: AsyncGenerator[Any, Any]) -> None:
        self._by_id.pop(id(generator), None)

    def take(self) -> list[AsyncGenerator[Any, Any]]:
        """Those that are alive, in order of their beginning; none is left."""
        alive = list(self._by_id.values())
        self._by_id.clear()
        return alive


def cancel_left(loop: Loop) -> None:
    """Cancel the tasks that are not done, wait for their ends, and report what they raised instead.

    Raises:
        DeadlockError: one of them swallows its cancel and waits on.
    """
    left = list(loop.live)
    if not left:
        return
    for task in left:
        task.cancel()
    loop.run_until_complete(all_done(left))
    for task in left:
        report_failed(loop, task, "unhandled exception during run() shutdown", {"task": task})


def report_failed(loop: Loop, task: Task[Any], message: str, what: dict[str, Any]) -> None:
    """Report what a task raised, if it did."""
    if task.done() and not task.cancelled() and task.exception() is not None:
        loop.report({"message": message, "exception": task.exception(), **what})


async def all_done(tasks: list[Task[Any]]) -> None:
    """Wait for all of them, whatever becomes of them."""
    for task in tasks:
        if not task.done():
            await _Over(task)


class _Over:
    """`await` it to wait for the end of a task without asking for its result: no error is raised once more."""

    __slots__ = ("_task",)

    def __init__(self, task: Task[Any]) -> None:
        self._task = task

    def __await__(self) -> Generator[Task[Any], None, None]:
        yield self._task
