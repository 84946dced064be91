"""Facts about loops: the order of timers, cancelled callbacks, and tasks that are destroyed while they are pending."""

from __future__ import annotations

import gc
from typing import Any

from .fact import asyncio, fact


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
    """call_soon returns what cancels the callback: it is not called then, and nothing is reported."""
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
