"""ensure_future: whatever can be awaited, as a future; and what is a coroutine.

Theory of operation.  A future or task stays what it is; a coroutine, or a generator of the chapter's kind,
becomes a task; any other awaitable is awaited by a task of its own; all else is a TypeError (ENSURE-1).  The
host is that of the loop that is given, or the running one.  The combinators come here for what they are given,
so each of them accepts the same things.

Source: CPython documentation of 3.13, "Futures" (asyncio.ensure_future, asyncio.isfuture, asyncio.iscoroutine).
"""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine
from types import GeneratorType
from typing import Any

from ..interfaces import Promise, Spawner
from ..tasks.current import host_of, is_foreign_future, usual_loop
from ..tasks.future import Future


def iscoroutine(what: object) -> bool:
    """Whether a task can drive it: a coroutine, or a generator of the chapter's kind."""
    return isinstance(what, Coroutine | GeneratorType)


def isfuture(what: object) -> bool:
    """Whether it is a future or a task: of this package, or of a runtime that there is a bridge to."""
    return isinstance(what, Future) or is_foreign_future(what)


# Any: futures of another runtime are not Future's; what comes out of an awaitable is its own affair.
def ensure_future(what: Any, *, loop: Any = None) -> Any:
    """A future for `what`: itself, or a task that runs it.

    Parameters:
        what: a future, a coroutine, a generator, or any awaitable.
        loop: the loop that a task is made on, or its host; None: the running one.

    Raises:
        TypeError: `what` cannot be awaited.
        ValueError: it is a future of another loop than `loop`.
        RuntimeError: no loop is given and none is running; a coroutine is closed.
    """
    if isfuture(what):
        if loop is not None and host_of(what.get_loop()) is not host_of(loop):
            raise ValueError(
                "The future belongs to a different loop than the one specified as the loop argument"
            )
        return what
    coro = what
    if not iscoroutine(what):
        if not isinstance(what, Awaitable):
            raise TypeError(f"a future, a coroutine or an awaitable is required, not {what!r}")
        coro = _awaited(what)
    try:
        host: Spawner = usual_loop() if loop is None else host_of(loop)
        return host.create_task(coro)
    except RuntimeError:
        coro.close()
        raise


def host_for(future: Promise) -> Spawner:
    """The host of a future's loop."""
    host: Spawner = host_of(future.get_loop())
    return host


async def _awaited(awaitable: Awaitable[Any]) -> Any:  # Any: as ensure_future
    return await awaitable
