"""The loop that runs in this thread: how `sleep`, `Queue` and `Future()` find theirs without being told.

Theory of operation.  A loop enters itself while it runs and leaves afterwards (CPython documentation,
`asyncio.get_running_loop`); runs of several loops may nest, each sees its own.  One slot per thread.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _Slot(threading.local):
    # Any: the loop of whoever runs, known here by no face; each caller asks only for its own.
    loop: Any = None


_slot = _Slot()


def running_loop() -> Any:  # Any: see _Slot
    """The loop that runs in this thread.

    Raises:
        RuntimeError: none does (as asyncio.get_running_loop).
    """
    loop = _slot.loop
    if loop is None:
        raise RuntimeError("no running event loop")
    return loop


def running_loop_or_none() -> Any:  # Any: see _Slot
    """The loop that runs in this thread, or None."""
    return _slot.loop


@contextmanager
def entered(loop: object) -> Iterator[None]:
    """While the block runs, `loop` is the running loop of this thread."""
    before, _slot.loop = _slot.loop, loop
    try:
        yield
    finally:
        _slot.loop = before
