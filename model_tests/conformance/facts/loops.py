"""Facts about loops: timers, callbacks, pending tasks that are destroyed, and objects that are bound to one loop."""

from __future__ import annotations

import gc
from typing import Any, Final

from .fact import asyncio, fact

#: The classes with objects that are bound to the loop where a task has waited for them.
PRIMITIVES: Final = ("Queue", "Lock", "Event", "Semaphore")


@fact("LOOP-2", "new_event_loop")
async def timers() -> None:
    """call_later and call_at call in the order of deadlines, none before its own, and none that was cancelled."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    seen = []

    def called(name: str, delay: float) -> None:
        seen.append((name, loop.time() - start > delay - 0.001))

    loop.call_later(0.03, called, "third", 0.03)
    loop.call_at(start + 0.01, called, "first", 0.01)
    loop.call_later(0.015, called, "cancelled", 0.015).cancel()
    loop.call_at(start + 0.02, called, "second", 0.02)
    await asyncio.sleep(1)
    assert seen == [("first", True), ("second", True), ("third", True)]


@fact("LOOP-5", "LOOP-1", "new_event_loop", clock=False)
async def cancelled_callbacks() -> None:
    """call_soon returns a handle to cancel the callback: it is not called then, and nothing is reported."""
    loop = asyncio.get_running_loop()
    seen: list[str] = []
    loop.set_exception_handler(lambda loop, context: seen.append("reported"))
    loop.call_soon(seen.append, "called")
    loop.call_soon(seen.append, "cancelled").cancel()
    for _ in range(20):
        await asyncio.sleep(0)
    assert seen == ["called"]


@fact("TASK-12", "Task")
async def destroyed_while_pending() -> None:
    """A pending task that is destroyed is reported to the exception handler."""
    loop = asyncio.get_running_loop()
    reports: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda loop, context: reports.append(context))

    async def wait() -> None:
        await loop.create_future()

    task = asyncio.create_task(wait(), name="lost")
    await asyncio.sleep(0.01)
    del task
    gc.collect()
    assert [report["task"].get_name() for report in reports] == ["lost"]
    assert "destroyed" in reports[0]["message"]


@fact("QUEUE-10", "LOCK-12", "EVENT-6", *PRIMITIVES, documented=False)
def primitives_of_one_loop() -> None:
    """A primitive of asyncio's for which a task has waited in one loop is refused in another, unless it is free."""

    async def ends(things: list[Any], kind: Any, method: str) -> type[BaseException]:
        if not things:
            things.append(kind())
            if method == "acquire":
                await things[0].acquire()
        task = asyncio.create_task(getattr(things[0], method)())
        await asyncio.sleep(0.01)
        task.cancel()
        [error] = await asyncio.gather(task, return_exceptions=True)
        return type(error)

    waits = ("get", asyncio.Queue), ("wait", asyncio.Event), ("acquire", asyncio.Lock)
    for method, kind in (*waits, ("acquire", asyncio.Semaphore)):
        made: list[Any] = []
        assert asyncio.run(ends(made, kind, method)) is asyncio.CancelledError
        if hasattr(made[0], "_get_loop"):  # others need not be bound to a loop
            assert asyncio.run(ends(made, kind, method)) is RuntimeError


@fact("QUEUE-10", "Queue", "LifoQueue", "PriorityQueue", documented=False)
async def generic_queues() -> None:
    """A queue that derives from asyncio's is a generic class, as that is."""
    kinds: Any = asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue
    for kind in kinds:
        if hasattr(kind, "_get_loop") and not hasattr(kind, "__origin__"):
            assert kind[int] is not None
