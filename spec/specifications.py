"""SPECIFICATIONS: those that are shipped, in the order of the registry, without their bounded models and mutants.

The import takes a third of the time of that of `spec.registry`.
"""

from __future__ import annotations

from typing import Any, Final

from .callbacks.specification import callbacks
from .crawl.fifo import crawl_fifo
from .crawl.specification import crawl
from .creation.specification import creation
from .future.specification import future
from .kit.core import Spec
from .locks.events import events
from .locks.specification import locks
from .queue.specification import queue
from .scopes.specification import scopes
from .stream.specification import stream
from .task.hops import task_hops
from .task.specification import task

__all__ = [
    "SPECIFICATIONS", "callbacks", "crawl", "crawl_fifo", "creation", "events", "future", "locks", "queue", "scopes",
    "stream", "task", "task_hops",
]  # fmt: skip

# Any: their constants and states have no common type.
SPECIFICATIONS: Final[tuple[Spec[Any, Any], ...]] = (
    queue, crawl, crawl_fifo, stream, callbacks, future, task, task_hops, creation, scopes, locks, events,
)  # fmt: skip
