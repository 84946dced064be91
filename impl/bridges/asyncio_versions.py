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

# Any in this file: as in completion.py, taskgroup.py and waiting.py.

PINNED: Final = {
    # gh-112182: set_exception(StopIteration) is refused before 3.13, and stored as a RuntimeError since.
    "StopIteration is refused": sys.version_info < (3, 13),
    # gh-77714: as_completed is an object, and may be iterated over asynchronously, since 3.13.
    "as_completed is a generator": sys.version_info < (3, 13),
    # gh-115957: TaskGroup.create_task closes a coroutine that it refuses since 3.13.
    "a refused coroutine stays open": sys.version_info < (3, 13),
    # gh-96764: since 3.12 what wait_for waits for may swallow a cancel of the caller, as with a plain await; in 3.11
    # the caller is cancelled all the same (test_wait_for_self_cancellation).
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
    task = asyncio.current_task()
    assert task is not None
    before = task.cancelling()
    result = await waiting.wait_for(what, timeout)
    if task.cancelling() > before:
        raise asyncio.CancelledError
    return result


as_completed = _as_completed if PINNED["as_completed is a generator"] else completion.as_completed
TaskGroup = _TaskGroup if PINNED["a refused coroutine stays open"] else taskgroup.TaskGroup
wait_for = _wait_for if PINNED["a cancel of wait_for cannot be swallowed"] else waiting.wait_for
