"""What one version of Python pins to itself by its own tests; all else is CPython 3.13's, on every Python.

Theory of operation.  `PINNED` says what this Python does; the behaviour itself stands where it belongs, or, where a
function or a class of an older version is another one, in older.py.
"""

from __future__ import annotations

import sys
from typing import Final

PINNED: Final = {
    # gh-112182: set_exception(StopIteration) is refused before 3.13, and stored as a RuntimeError since.
    "StopIteration is refused": sys.version_info < (3, 13),
    # gh-77714: since 3.13 as_completed looks at its arguments at once; before, at its first step, as a generator does.
    "as_completed begins late": sys.version_info < (3, 13),
    # gh-115957: TaskGroup.create_task closes a coroutine that it refuses since 3.13.
    "a refused coroutine stays open": sys.version_info < (3, 13),
    # gh-96764: in 3.11 what wait_for waits for may swallow the timeout, but then no cancel of the caller as well
    # (test_wait_for_self_cancellation); and all_tasks shows a coroutine as a task of its own (test_futures2).
    "wait_for shows a task of its own": sys.version_info < (3, 12),
}
