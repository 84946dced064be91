"""The reference with the freedoms that the documentation leaves to an implementation, drawn as choices of a run.

The documentation of CPython 3.15 says which task gets a lock, an item or a notification, and the order of the tasks
that wait, but not how many iterations of the loop that takes.  So a right implementation may suspend once more than
asyncio's, or once less, or give a lock or an item to a waiter at once, where asyncio wakes the waiter and lets it take
them.  The classes here may do either, as the lane `program` of the loop's choices says; under zeros they are impl's.

-   Lock: "When the lock is locked, this method waits until the lock is unlocked, sets it to locked and returns True";
    "only one coroutine proceeds", nothing on whether the lock looks unlocked meanwhile (Synchronization Primitives).
-   Queue: "Remove and return an item from the queue.  If queue is empty, wait until an item is available" (Queues):
    nothing on whether an item counts in `qsize` while the getter it was put for is on its way; "Return an item if one
    is immediately available" (get_nowait): nothing on whether that item is, which CPython's tests do say.
-   Semaphore, Condition, Queue: "Can wake up a task waiting to acquire the semaphore", "Wake up n tasks", "wait until
    an item is available": nothing on which, where "Acquiring a lock is fair" says it of a lock; and "a task may return
    from this call spuriously" (Condition.wait).  CPython's tests do say more, so this is free only among the rules that
    are documented.
-   Condition: "Once awakened, the Condition re-acquires its lock and this method returns True" (Condition.wait):
    nothing on whether a waiter that is cancelled meanwhile keeps its place among those that wait for the lock.
-   Task: "The msg parameter is propagated from cancelled task to its awaiter" (Task.cancel): nothing on which one
    counts of two requests.
-   Queue: "Block until all items in the queue have been received and processed" (join): nothing on an item that is put
    before the join goes on; CPython's code says that it is not waited for, so this is free among documented rules.
-   Barrier: "all tasks waiting on the barrier are unblocked simultaneously", with a number "different for each task"
    (Barrier.wait): nothing on whether those of the next round wait until they have left, nor on which number.
-   Future: "Future is an awaitable object.  Coroutines can await on Future objects until they either have a result or
    an exception set": nothing on the turn when a coroutine that awaits a done one goes on; again, CPython's code
    and tests do say it.
-   Future: "Remove callback from the callbacks list" (remove_done_callback): nothing on when a callback leaves the list
    of a future that is done, before the loop has called it.
-   All waiters: "Changed in version 3.13: Changed to rescind pending cancellation requests upon reaching zero"
    (Task.uncancel): nothing on whether a request is still pending that comes between a wake-up and the waiter's step.
-   gather, wait, shield, as_completed, TaskGroup: "Run awaitable objects in the aws iterable concurrently and block
    until the condition specified by return_when" (wait): nothing on the turn when they hear of the end of an
    awaitable, nor on whether they suspend for one that has ended.
-   gather: "If gather() is cancelled, all submitted awaitables (that have not completed yet) are also cancelled":
    nothing on whether it waits for them.
-   shield: "Protect an awaitable object from being cancelled": nothing on which kind of future it returns.
-   TaskGroup: "those exceptions are combined in an ExceptionGroup": in any order; nothing on whether a cancel from
    outside reaches tasks that the group has cancelled already.
-   wait_for: "Wait for the aw awaitable to complete with a timeout.  If aw is a coroutine it is automatically scheduled
    as a Task"; CPython does so until 3.11, and the sentence stands.
-   timeout: "an asynchronous context manager that can be used to limit the amount of time spent waiting on something":
    nothing on the turn when the task hears of the deadline.
-   All: nothing on whether a call that need not wait gives other tasks a turn.

One case is covered by no sentence at all, and is `unspecified`: another task releases the lock or permit that was given
to a waiter before that waiter has run.

A right implementation may be of another design than impl's; then its runs are those of another class (`DESIGNS`).
`conformance/tolerance.py` searches all, under order `any` (impl/sim/order.py): every order of the ready tasks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final

import impl
from impl.sim.order import AnyOrder

from . import combinators, locks, queues
from .draws import Hearing
from .futures import AnyTask, Future, Task, WithdrawnFuture

COMBINATORS: Final = (
    *("gather", "wait", "wait_for", "shield", "as_completed"),
    *("timeout", "timeout_at", "Timeout", "TaskGroup"),
)
LOCKS: Final = ("Lock", "Semaphore", "BoundedSemaphore", "Event", "Condition", "Barrier")
QUEUES: Final = ("Queue", "LifoQueue", "PriorityQueue")
#: Names that run the tasks, or wake them.
LOOP: Final = frozenset({"Future", "Task", "new_event_loop"})
#: By asyncio's name.
FREE: Final[dict[str, Any]] = {
    name: getattr(module, name)
    for module, names in ((locks, LOCKS), (queues, QUEUES), (combinators, COMBINATORS))
    for name in names
}
#: Those that are free in more among the rules that are documented, such as which of its waiters is served.
UNORDERED: Final = {
    "Semaphore": locks.UnorderedSemaphore,
    "BoundedSemaphore": locks.UnorderedBoundedSemaphore,
    "Condition": locks.UnorderedCondition,
    "Queue": queues.UnorderedQueue,
    "LifoQueue": queues.UnorderedLifoQueue,
    "PriorityQueue": queues.UnorderedPriorityQueue,
    "gather": combinators.cancellable_gather,
}
#: Other designs, by name; and those that are free only among the rules that are documented.
DESIGNS: Final[dict[str, Any]] = {
    "Barrier": locks.BarrierOfRounds,
    "Future": WithdrawnFuture,
    "shield": combinators.shield_task,
    "wait_for": combinators.wait_for_task,
}
UNORDERED_DESIGNS: Final = {
    "Semaphore": locks.RacingSemaphore,
    "BoundedSemaphore": locks.RacingBoundedSemaphore,
    "wait_for": combinators.wait_then_cancel,
}
#: The methods that make an object of a name.
MADE_BY: Final = {"Future": "loop.create_future"}
#: Names that right code may build upon these.
BUILT_ON: Final = {"Condition": ("Lock",), "Barrier": ("Condition", "Lock"), "timeout": ("Timeout",)}


# Any: a class or a function.
def designs(
    brings: Collection[str],
    used: Collection[str] = (),
    unordered: bool = False,
    differs: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[SimpleNamespace]:
    """Yield impl's names, with the freedoms of the names that a subject brings; once for each design of one in `used`.

    `Order` is the class of the loop's order of ready items.

    With `unordered`, a semaphore or condition may wake any of its waiters, and to await a done future may take a turn.
    `differs` has the classes of a profile, derived from impl's.  They are the first bases of the classes with freedoms
    (the others are in `mixed`), and have no other design.  A function of a profile is not mixed.
    """
    names = _with_freedoms(brings, unordered, differs)
    yield names
    for name, other in {**DESIGNS, **(UNORDERED_DESIGNS if unordered else {})}.items():
        if name in brings and not {name, MADE_BY.get(name)}.isdisjoint(used) and name not in differs:
            yield SimpleNamespace(**{**vars(names), name: other})


def _with_freedoms(brings: Collection[str], unordered: bool, differs: Mapping[str, Any]) -> SimpleNamespace:
    names = {name: getattr(impl, name) for name in impl.__all__}
    for name, free in FREE.items():
        if name in brings or any(base in brings for base in BUILT_ON.get(name, ())):
            names[name] = UNORDERED.get(name, free) if unordered else free
    if unordered and "Future" in brings:
        names["Future"] = Future
    if "Task" in brings:
        names["Task"] = Task
    names["Order"] = AnyOrder if LOOP.isdisjoint(brings) else AnyTask
    if "Barrier" not in brings and names["Barrier"] is locks.Barrier:
        names["Barrier"] = locks.BarrierOnLock
    mixed: dict[str, Any] = {}
    for name in [name for name in FREE if isinstance(differs.get(name), type)]:
        free = issubclass(differs[name], Hearing)  # it has freedoms of its own
        mixed[name] = differs[name] if free else type(name, (differs[name], FREE[name]), {"mixed": mixed})
        if name in brings:
            names[name] = mixed[name]
    return SimpleNamespace(**names)
