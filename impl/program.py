"""What a program calls without naming its loop: sleep, create_task, current_task, all_tasks, run.

Theory of operation.  Each asks the running loop (running.py) and hands on; `run` makes one, runs the program and
closes it.  Names and meanings are those of `asyncio` (CPython documentation of 3.13, "Coroutines and Tasks",
"Runners"); `all_tasks` is a list, in order of creation, where asyncio has a set.
"""

from __future__ import annotations

from collections.abc import Generator
from contextvars import Context
from typing import Any, TypeVar

from .choices import Choices
from .interfaces import Observer
from .loop import Loop
from .order import Order
from .running import our_running_loop, running_loop, running_loop_or_none
from .task import Runs, Task

T = TypeVar("T")


class _Pause:
    """`await` it to give up the turn once."""

    __slots__ = ()

    def __await__(self) -> Generator[None, None, None]:
        yield None


_PAUSE = _Pause()


async def sleep(delay: float, result: T | None = None) -> T | None:
    """Wait for `delay` seconds, not less, and return `result` (SLEEP-1); 0 or less gives up the turn just once.

    Sleepers wake in the order of their deadlines (SLEEP-2).

    Raises:
        ValueError: the delay is not a number (CPython 3.13).
    """
    if delay <= 0:
        await _PAUSE
        return result
    await running_loop().alarm(delay)
    return result


def create_task(coro: Runs[T], *, name: str | None = None, context: Context | None = None) -> Task[T]:
    """`create_task` of the running loop.

    Raises:
        RuntimeError: no loop is running; `coro` is closed.
    """
    loop: Loop | None = running_loop_or_none()
    if loop is None:
        coro.close()
        raise RuntimeError("no running event loop")
    return loop.create_task(coro, name=name, context=context)


def current_task(loop: Loop | None = None) -> Task[Any] | None:  # Any: whatever it returns
    """The task whose turn it is on the running loop, or on `loop` (TASK-10); None in a plain callback.

    Raises:
        RuntimeError: no loop is given and none is running.
    """
    task: Task[Any] | None = (running_loop() if loop is None else loop).current
    return task


def all_tasks(loop: Loop | None = None) -> list[Task[Any]]:  # Any: whatever they return
    """The tasks of the running loop, or of `loop`, that are not done, in order of creation (asyncio: a set).

    Raises:
        RuntimeError: no loop is given and none is running.
    """
    return list((running_loop() if loop is None else loop).live)


def new_event_loop() -> Loop:
    """A loop with nothing but defaults (asyncio.new_event_loop); close it in the end."""
    return Loop()


def run(
    main: Runs[T],
    *,
    choices: Choices | None = None,
    order: Order = "fifo",
    observer: Observer | None = None,
    contexts: bool = True,
) -> T:
    """Run a program on a fresh loop, as asyncio.run does; parameters as Loop's.

    Raises:
        RuntimeError: a loop runs in this thread already; `main` is closed.
        DeadlockError: the program can never end.
    """
    if our_running_loop() is not None:
        main.close()
        raise RuntimeError("run() cannot be called from a running event loop")
    return Loop(choices, order, observer, contexts=contexts).run(main)
