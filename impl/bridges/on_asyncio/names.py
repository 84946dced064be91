"""asyncio's names, implemented by `impl`, on any asyncio event loop.

    from impl.bridges import asyncio_names as asyncio

Theory of operation.  Nothing is decided here.  Futures and tasks are ours with what asyncio's own code demands of them
(on_asyncio/futures.py, internals.py), on a host that is a loop of asyncio's (host.py).  Primitives and
combinators find that host by themselves; they are `impl`'s own classes and functions, except that some need asyncio's
error classes, and some asyncio's `repr`, which its tests read.
"""

from __future__ import annotations

from ...combinators import ensure
from ...combinators import gather as gathering
from ...combinators import shield as chaining
from ...combinators.timeout import Timeout, timeout, timeout_at
from ...combinators.wait import ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION, wait
from ...runners import create_task, sleep
from .futures import Future, Task, create_eager_task_factory, eager_task_factory
from .host import by_name
from .older import TaskGroup, as_completed, wait_for
from .primitives import (
    Barrier,
    BoundedSemaphore,
    Condition,
    Event,
    LifoQueue,
    Lock,
    PriorityQueue,
    Queue,
    QueueShutDown,
    Semaphore,
)

ensure_future = by_name(ensure.ensure_future)
gather = by_name(gathering.gather)
shield = by_name(chaining.shield)
wrap_future = by_name(chaining.wrap_future)

__all__ = [
    "ALL_COMPLETED", "FIRST_COMPLETED", "FIRST_EXCEPTION", "Barrier", "BoundedSemaphore", "Condition", "Event",
    "Future", "LifoQueue", "Lock", "PriorityQueue", "Queue", "QueueShutDown", "Semaphore", "Task",
    "TaskGroup", "Timeout",
    "as_completed", "create_eager_task_factory", "create_task", "eager_task_factory", "ensure_future", "gather",
    "shield", "sleep", "timeout", "timeout_at", "wait", "wait_for", "wrap_future",
]  # fmt: skip
