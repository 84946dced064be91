"""asyncio's names, implemented by `impl`, on any asyncio event loop.

    from impl.bridges.on_asyncio import names as asyncio

Classes that asyncio's code or tests look into are adapted (futures.py, primitives.py); the others are `impl`'s own.
"""

from __future__ import annotations

from ...call_graph import (
    FrameCallGraphEntry,
    FutureCallGraph,
    capture_call_graph,
    format_call_graph,
    print_call_graph,
)
from ...combinators import ensure
from ...combinators import gather as gathering
from ...combinators import shield as chaining
from ...combinators.timeout import Timeout, timeout, timeout_at
from ...combinators.wait import ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION, wait
from ...runners.runner import create_task, sleep
from ...tasks.awaiters import future_add_to_awaited_by, future_discard_from_awaited_by
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
    "FrameCallGraphEntry", "Future", "FutureCallGraph", "LifoQueue", "Lock", "PriorityQueue", "Queue",
    "QueueShutDown", "Semaphore", "Task", "TaskGroup", "Timeout",
    "as_completed", "capture_call_graph", "create_eager_task_factory", "create_task", "eager_task_factory",
    "ensure_future", "format_call_graph", "future_add_to_awaited_by", "future_discard_from_awaited_by", "gather",
    "print_call_graph", "shield", "sleep", "timeout", "timeout_at", "wait", "wait_for", "wrap_future",
]  # fmt: skip
