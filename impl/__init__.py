"""The reference: a deterministic loop with asyncio's Future, Task, Queue and cancel, on virtual time.

    import impl

    async def main() -> None: ...

    impl.run(main())

The loop needs the standard library only, and importing it imports no other event loop.  The simulated network is
`impl.net`, HTTP and sites are `impl.web`, the crawler is `impl.crawl`; the last two need the extra `crawl`.
"""

from .barrier import Barrier
from .callback import Callback, TimerHandle
from .chaining import shield, wrap_future
from .choices import Choices
from .completion import as_completed
from .condition import Condition
from .ensure import ensure_future, iscoroutine, isfuture
from .errors import (
    BrokenBarrierError,
    CancelledError,
    DeadlockError,
    InvalidStateError,
    LivelockError,
    QueueEmpty,
    QueueFull,
    QueueShutDown,
    TimeoutError,
)
from .future import Future
from .gathering import gather
from .locks import BoundedSemaphore, Event, Lock, Semaphore
from .loop import Loop
from .queue import Queue
from .queues import LifoQueue, PriorityQueue
from .runners import Runner, all_tasks, create_task, current_task, new_event_loop, run, sleep
from .running import running_loop as get_running_loop
from .task import Task
from .taskgroup import TaskGroup
from .timeouts import Timeout, timeout, timeout_at
from .trace import Recorder
from .waiting import ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION, wait, wait_for

__all__ = [
    "ALL_COMPLETED",
    "FIRST_COMPLETED",
    "FIRST_EXCEPTION",
    "Barrier",
    "BoundedSemaphore",
    "BrokenBarrierError",
    "Callback",
    "CancelledError",
    "Choices",
    "Condition",
    "DeadlockError",
    "Event",
    "Future",
    "InvalidStateError",
    "LifoQueue",
    "LivelockError",
    "Lock",
    "Loop",
    "PriorityQueue",
    "Queue",
    "QueueEmpty",
    "QueueFull",
    "QueueShutDown",
    "Recorder",
    "Runner",
    "Semaphore",
    "Task",
    "TaskGroup",
    "Timeout",
    "TimeoutError",
    "TimerHandle",
    "all_tasks",
    "as_completed",
    "create_task",
    "current_task",
    "ensure_future",
    "gather",
    "get_running_loop",
    "iscoroutine",
    "isfuture",
    "new_event_loop",
    "run",
    "shield",
    "sleep",
    "timeout",
    "timeout_at",
    "wait",
    "wait_for",
    "wrap_future",
]
