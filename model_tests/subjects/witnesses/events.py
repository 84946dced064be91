"""Witnesses of the wrong events."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, outcome, settle, shows
from ..wrong import events as wrong

# Any: an event, asyncio's or a wrong one.


async def waiters(event: Any, number: int) -> list[asyncio.Task[Any]]:
    """Start tasks that wait for the event."""
    tasks = [asyncio.ensure_future(event.wait()) for _ in range(number)]
    await settle()
    return tasks


@shows([True, True], wrong.AnswersNone)
async def set_wakes_all(event_class: Thing) -> Any:
    event = event_class()
    tasks = await waiters(event, 2)
    event.set()
    await settle()
    return [outcome(task) for task in tasks]


@shows([True], wrong.ClearTakesBack)
async def set_and_clear(event_class: Thing) -> Any:
    event = event_class()
    tasks = await waiters(event, 1)
    event.set()
    event.clear()
    await settle()
    return [outcome(task) for task in tasks]


@shows(["cancelled", True], wrong.FailsAfterACancel)
async def set_after_a_cancel(event_class: Thing) -> Any:
    event = event_class()
    tasks = await waiters(event, 2)
    tasks[0].cancel()
    event.set()
    await settle()
    return [outcome(task) for task in tasks]


@shows(True, wrong.ForgetsThatItIsSet)
async def set_stays_set(event_class: Thing) -> Any:
    event = event_class()
    tasks = await waiters(event, 1)
    event.set()
    await settle()
    del tasks
    return event.is_set()
