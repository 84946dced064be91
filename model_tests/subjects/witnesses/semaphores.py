"""Witnesses of the wrong semaphores."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, settle, shows
from ..wrong import semaphores as wrong

# Any: a semaphore, asyncio's or a wrong one.


async def holders(semaphore: Any, log: list[str], *names: str) -> list[asyncio.Task[None]]:
    """Start tasks that acquire a permit and keep it."""

    async def hold(name: str) -> None:
        await semaphore.acquire()
        log.append(name)

    tasks = [asyncio.ensure_future(hold(name)) for name in names]
    await settle()
    return tasks


@shows([["first"], ["first", "second"]], wrong.ReleaseCountsTwice)
async def order_of_waiters(semaphore_class: Thing) -> Any:
    semaphore = semaphore_class()
    await semaphore.acquire()
    log: list[str] = []
    kept = await holders(semaphore, log, "first", "second")
    steps = []
    for _ in kept:
        semaphore.release()
        await settle()
        kept += await holders(semaphore, log, "late") if len(log) > 2 else []
        steps.append(log[:2] if semaphore.locked() else [*log, "free"])
    return steps


@shows([False, True], wrong.LooksFree)
async def locked_at_zero(semaphore_class: Thing) -> Any:
    semaphore = semaphore_class()
    seen = [semaphore.locked()]
    await semaphore.acquire()
    return [*seen, semaphore.locked()]


@shows(["raised", "waits"], wrong.RaisesAndReleases)
async def released_too_often(semaphore_class: Thing) -> Any:
    semaphore = semaphore_class()
    seen = []
    try:
        semaphore.release()
        seen.append("released")
    except ValueError:
        seen.append("raised")
    await semaphore.acquire()
    return [*seen, "waits" if semaphore.locked() else "free"]


@shows("released", wrong.BoundOfOne)
async def two_permits_come_back(semaphore_class: Thing) -> Any:
    semaphore = semaphore_class(2)
    await semaphore.acquire()
    await semaphore.acquire()
    semaphore.release()
    semaphore.release()
    return "released"
