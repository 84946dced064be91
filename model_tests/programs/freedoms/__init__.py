"""The reference with the freedoms that the documentation leaves to an implementation, drawn as choices of a run.

The documentation of CPython 3.15 says which task gets a lock, an item or a notification, and in which order tasks get
them.  It does not say how many iterations of the loop that takes.  So a right implementation may suspend once more than
asyncio's, or give a lock or an item to a waiter at once, where asyncio wakes the waiter and lets it take them.  The
classes here may do either, as the lane `program` of the loop's choices says; under all zeros they are impl's.

-   Lock: "When the lock is locked, this method waits until the lock is unlocked, sets it to locked and returns True";
    "only one coroutine proceeds", nothing on whether the lock looks unlocked meanwhile (Synchronization Primitives).
-   Queue: "Remove and return an item from the queue.  If queue is empty, wait until an item is available" (Queues):
    nothing on whether an item counts in `qsize` while the getter it was put for is on its way.
-   Semaphore, Condition: "Can wake up a task waiting to acquire the semaphore", "Wake up n tasks": nothing on which,
    where "Acquiring a lock is fair" says it of a lock; and "a task may return from this call spuriously"
    (Condition.wait).  CPython's tests do say more, so this is free only among the rules that are documented.
-   Future: "Future is an awaitable object.  Coroutines can await on Future objects until they either have a result or
    an exception set": nothing on the turn in which a coroutine goes on that awaits a done one; again, CPython's code
    and tests do say it.
-   All: nothing on whether a call that need not wait gives other tasks a turn.

What no sentence covers at all is `unspecified`: a release, by another task, of what was given to a waiter that has yet
to run.

`allowed.py` searches them, under order `any` (impl/sim/order.py), which has every order of the ready tasks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final

import impl

from .futures import Future
from .locks import (
    Barrier,
    BarrierOnLock,
    BoundedSemaphore,
    Condition,
    Event,
    Lock,
    Semaphore,
    UnorderedBoundedSemaphore,
    UnorderedCondition,
    UnorderedSemaphore,
)
from .queues import LifoQueue, PriorityQueue, Queue

#: By asyncio's name.
FREE: Final = {
    free.__name__: free
    for free in (
        Lock,
        Semaphore,
        BoundedSemaphore,
        Event,
        Condition,
        Barrier,
        Queue,
        LifoQueue,
        PriorityQueue,
    )
}
UNORDERED: Final = {
    "Semaphore": UnorderedSemaphore,
    "BoundedSemaphore": UnorderedBoundedSemaphore,
    "Condition": UnorderedCondition,
}
#: Names whose right code may be built upon these.
BUILT_ON: Final = {"Condition": ("Lock",), "Barrier": ("Condition", "Lock")}


# Any: a class or a function.
def with_freedoms(
    brings: Collection[str], unordered: bool = False, differs: Mapping[str, Any] = MappingProxyType({})
) -> SimpleNamespace:
    """Return impl's names, with the freedoms of the names that a subject brings.

    With `unordered`, a semaphore or condition may wake any of its waiters, and to await a done future may take a turn.
    `differs` has classes of a profile, which derive from impl's; they are the first bases of the classes with freedoms,
    which have the others in `mixed`.
    """
    names = {name: getattr(impl, name) for name in impl.__all__}
    for name, free in FREE.items():
        if name in brings or any(base in brings for base in BUILT_ON.get(name, ())):
            names[name] = UNORDERED.get(name, free) if unordered else free
    if unordered and "Future" in brings:
        names["Future"] = Future
    if "Barrier" not in brings and names["Barrier"] is Barrier:
        names["Barrier"] = BarrierOnLock
    mixed: dict[str, Any] = {}
    for name in [name for name in FREE if name in differs]:
        mixed[name] = type(name, (differs[name], FREE[name]), {"mixed": mixed})
        if name in brings:
            names[name] = mixed[name]
    return SimpleNamespace(**names)


__all__ = ["with_freedoms"]
