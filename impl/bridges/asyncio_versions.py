"""What one version of Python pins to itself by its own tests; all else is CPython 3.13's, on every Python.

Theory of operation.  `PINNED` says what this Python does; where that is another behaviour of a function or a class, the
one of that version stands here, made of ours.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

from .. import completion, taskgroup, waiting
from ..ensure import ensure_future

# Any in this file: as in completion.py, taskgroup.py and waiting.py.

PINNED: Final = {
    # gh-112182: set_exception(StopIteration) is refused before 3.13, and stored as a RuntimeError since.
    "StopIteration is refused": sys.version_info < (3, 13),
    # gh-77714: as_completed is an object, and may be iterated over asynchronously, since 3.13.
    "as_completed is a generator": sys.version_info < (3, 13),
    # gh-115957: TaskGroup.create_task closes a coroutine that it refuses since 3.13.
    "a refused coroutine stays open": sys.version_info < (3, 13),
    # gh-96764: since 3.12 wait_for runs in the task of its caller, and what it waits for may swallow a cancel, as with
    # a plain await; in 3.11 it is a task of its own, which is cancelled a turn after the caller, and the caller is
    # cancelled all the same (test_wait_for_self_cancellation, test_asyncio_wait_for_cancelled; test_futures2).
    "a cancel of wait_for cannot be swallowed": sys.version_info < (3, 12),
}


def _as_completed(fs: Iterable[Any], *, timeout: float | None = None) -> Iterator[Any]:
    yield from completion.as_completed(fs, timeout=timeout)


class _TaskGroup(taskgroup.TaskGroup):
    __slots__ = ()

    @staticmethod
    def _decline(coro: Any) -> None:
        """Leave it to the caller."""


async def _wait_for(what: Any, timeout: float | None) -> Any:
    if timeout is None or timeout <= 0:
        return await waiting.wait_for(what, timeout)
    inner = ensure_future(what)
    try:
        await waiting.wait([inner], timeout=timeout)
    except asyncio.CancelledError as request:
        if inner.cancel(*request.args[:1]):
            await waiting.wait([inner])
        raise
    return await waiting.wait_for(inner, 0)


as_completed = _as_completed if PINNED["as_completed is a generator"] else completion.as_completed
TaskGroup = _TaskGroup if PINNED["a refused coroutine stays open"] else taskgroup.TaskGroup
wait_for = _wait_for if PINNED["a cancel of wait_for cannot be swallowed"] else waiting.wait_for
