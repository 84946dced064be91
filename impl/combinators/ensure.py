"""ensure_future: any awaitable as a future; iscoroutine.

A future or task is returned as it is; a coroutine, or a generator of the chapter's kind, becomes a task; any other
awaitable is awaited by a new task; anything else raises TypeError (ENSURE-1).  The host is that of the given loop,
or of the running one.  All combinators convert their arguments here, so they accept the same things.

Source: CPython documentation of 3.15, "Futures" (asyncio.ensure_future, asyncio.iscoroutine).
"""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine, Generator
from types import CoroutineType, GeneratorType
from typing import Any, TypeAlias, TypeVar

from ..interfaces import Foreign, Promise, Spawner
from ..tasks.current import host_of, usual_loop
from ..tasks.future import Future, isfuture
from ..tasks.task import Runs

T = TypeVar("T")

#: Whatever a future can be made of; a generator of the chapter's kind yields futures, of any type.
Awaits: TypeAlias = Awaitable[T] | Generator[Any, Any, T]


def iscoroutine(what: object) -> bool:
    """Whether a task can drive it: a coroutine, or a generator of the chapter's kind."""
    return isinstance(what, Coroutine | GeneratorType)


def ensure_future(coro_or_future: Awaits[T], *, loop: Foreign = None) -> Future[T]:
    """Return a future for `coro_or_future`: itself, or a task that runs it.

    Parameters:
        coro_or_future: a future, a coroutine, a generator, or any awaitable.
        loop: the loop of a new task, or its host; None: the running one.

    Raises:
        TypeError: `coro_or_future` cannot be awaited.
        ValueError: it is a future of another loop than `loop`.
        RuntimeError: no loop is given and none is running; a coroutine is closed.
    """
    if isfuture(coro_or_future):
        future: Foreign = coro_or_future  # of any runtime: to the caller it has the methods of ours
        if loop is not None and host_of(future.get_loop()) is not host_of(loop):
            raise ValueError("The future belongs to a different loop than the one specified as the loop argument")
        return future  # type: ignore[no-any-return]  # see above
    coro = as_runnable(coro_or_future)
    try:
        host: Spawner = usual_loop() if loop is None else host_of(loop)
        task: Future[T] = host.create_task(coro)
        return task
    except RuntimeError:
        coro.close()
        raise


def as_runnable(awaitable: Awaits[T]) -> Runs[T]:
    """Return a coroutine or generator itself; for another awaitable, a coroutine that awaits it.

    Raises:
        TypeError: it cannot be awaited.
    """
    if awaitable.__class__ is CoroutineType or isinstance(awaitable, Coroutine | GeneratorType):
        return awaitable
    if not isinstance(awaitable, Awaitable):
        raise TypeError(f"a future, a coroutine or an awaitable is required, not {awaitable!r}")
    return _awaited(awaitable)


def host_for(future: Promise) -> Spawner:
    """The host of a future's loop."""
    host: Spawner = host_of(future.get_loop())
    return host


async def _awaited(awaitable: Awaitable[T]) -> T:
    return await awaitable
