"""asyncio itself, as this Python has it: the control of the programs that show a subject to be right.

Difference: none that a sentence of the documentation names.  Before 3.13 its Condition loses a notification if the
task is cancelled (gh-112202), so Condition is left out.
"""

from __future__ import annotations

from asyncio import (
    BoundedSemaphore,
    Event,
    Future,
    Lock,
    Queue,
    Semaphore,
    Task,
    TaskGroup,
    Timeout,
    new_event_loop,
    timeout,
    timeout_at,
)

__all__ = [
    "BoundedSemaphore",
    "Event",
    "Future",
    "Lock",
    "Queue",
    "Semaphore",
    "Task",
    "TaskGroup",
    "Timeout",
    "new_event_loop",
    "timeout",
    "timeout_at",
]
