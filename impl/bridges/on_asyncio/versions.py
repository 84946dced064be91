"""The behaviour that CPython's tests pin to one version; all else is CPython 3.15's, on every Python."""

from __future__ import annotations

import sys
from typing import Final

#: Whether this Python has the older behaviour; functions and classes for it are in older.py.
PINNED: Final = {
    # gh-112182: set_exception(StopIteration) is refused before 3.13, and stored as a RuntimeError since.
    "StopIteration is refused": sys.version_info < (3, 13),
    # gh-77714: since 3.13 as_completed reads its arguments at once; before, at its first step, as a generator does.
    "as_completed begins late": sys.version_info < (3, 13),
    # gh-115957: TaskGroup.create_task closes a coroutine that it refuses since 3.13.
    "a refused coroutine stays open": sys.version_info < (3, 13),
    # A second __init__ of a future or a task is refused since 3.15; before, it begins again.
    "a second __init__ begins again": sys.version_info < (3, 15),
    # gh-96764: in 3.11 the awaitable of wait_for may swallow the timeout, but then not a cancel of the caller too
    # (test_wait_for_self_cancellation); and all_tasks shows a coroutine as a task of its own (test_futures2).
    "wait_for shows a task of its own": sys.version_info < (3, 12),
}
