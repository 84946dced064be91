"""The reference: a deterministic loop with asyncio's Future, Task, Queue and cancel, on virtual time.

    import impl

    async def main() -> None: ...

    impl.run(main())

The loop needs the standard library only, and importing it imports no other event loop.  The simulated network is
`impl.net`, HTTP and sites are `impl.web`, the crawler is `impl.crawl`; the last two need the extra `crawl`.
"""

from .call_graph import (
    FrameCallGraphEntry,
    FutureCallGraph,
    capture_call_graph,
    format_call_graph,
    print_call_graph,
)
from .combinators.as_completed import as_completed
from .combinators.ensure import ensure_future, iscoroutine
from .combinators.gather import gather
from .combinators.shield import shield, wrap_future
from .combinators.taskgroup import TaskGroup
from .combinators.timeout import Timeout, timeout, timeout_at
from .combinators.wait import ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION, wait, wait_for
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
    UnfinishedError,
)
from .loop import Loop
from .runners.runner import Runner, all_tasks, create_task, current_task, new_event_loop, run, sleep
from .sim.choices import Choices
from .sim.trace import Recorder
from .sync.barrier import Barrier
from .sync.condition import Condition
from .sync.locks import BoundedSemaphore, Event, Lock, Semaphore
from .sync.queue import LifoQueue, PriorityQueue, Queue
from .tasks.awaiters import future_add_to_awaited_by, future_discard_from_awaited_by
from .tasks.callback import Callback, TimerHandle
from .tasks.current import running_loop as get_running_loop
from .tasks.future import Future, isfuture
from .tasks.task import Task

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
    "FrameCallGraphEntry",
    "Future",
    "FutureCallGraph",
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
    "UnfinishedError",
    "all_tasks",
    "as_completed",
    "capture_call_graph",
    "create_task",
    "current_task",
    "ensure_future",
    "format_call_graph",
    "future_add_to_awaited_by",
    "future_discard_from_awaited_by",
    "gather",
    "get_running_loop",
    "iscoroutine",
    "isfuture",
    "new_event_loop",
    "print_call_graph",
    "run",
    "shield",
    "sleep",
    "timeout",
    "timeout_at",
    "wait",
    "wait_for",
    "wrap_future",
]
