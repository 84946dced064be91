"""Witnesses of the wrong locks."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, settle, shows, state
from ..wrong import locks as wrong

# Any: a lock, asyncio's or a wrong one.


async def holders(lock: Any, log: list[str], *names: str) -> list[asyncio.Task[None]]:
    """Start tasks that acquire the lock and keep it."""

    async def hold(name: str) -> None:
        await lock.acquire()
        log.append(name)

    tasks = [asyncio.ensure_future(hold(name)) for name in names]
    await settle()
    return tasks


@shows(["second"], wrong.KeptByTheCancelled, wrong.CancelLosesTheWakeUp)
async def the_woken_waiter_is_cancelled(lock_class: Thing) -> Any:
    lock = lock_class()
    await lock.acquire()
    log: list[str] = []
    first, _ = await holders(lock, log, "first", "second")
    lock.release()
    first.cancel()
    await settle()
    return log


@shows(["waiter"], wrong.LetsNewcomersIn)
async def a_newcomer_waits_its_turn(lock_class: Thing) -> Any:
    lock = lock_class()
    await lock.acquire()
    log: list[str] = []
    kept = await holders(lock, log, "waiter")
    lock.release()
    late = asyncio.ensure_future(asyncio.wait_for(lock.acquire(), 1))
    barging = lock.acquire()
    try:
        barging.send(None)  # without an iteration of the loop between
    except StopIteration:
        log.append("newcomer")
    await settle()
    late.cancel()
    barging.close()
    del kept
    return log


@shows("raises RuntimeError", wrong.ReleasesTwice)
async def release_without_acquire(lock_class: Thing) -> Any:
    lock_class().release()
    return "released"


@shows("pending", wrong.Reentrant)
async def acquire_twice(lock_class: Thing) -> Any:
    lock = lock_class()

    async def twice() -> str:
        await lock.acquire()
        await lock.acquire()
        return "acquired twice"

    return await state(asyncio.ensure_future(twice()))


@shows(False, wrong.KeepsOnError)
async def locked_after_an_error(lock_class: Thing) -> Any:
    lock = lock_class()
    try:
        async with lock:
            raise ValueError
    except ValueError:
        return lock.locked()


@shows(True, wrong.AnswersNothing)
async def answer_of_a_waiter(lock_class: Thing) -> Any:
    lock = lock_class()
    await lock.acquire()
    waiter = asyncio.ensure_future(lock.acquire())
    await settle()
    lock.release()
    return await state(waiter)
