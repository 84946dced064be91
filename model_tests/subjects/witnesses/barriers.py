"""Witnesses of the wrong barriers."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, ended, outcome, settle, shows
from ..wrong import barriers as wrong

# Any: a barrier, asyncio's or a wrong one.


async def waiters(barrier: Any, number: int) -> list[asyncio.Task[Any]]:
    """Start tasks that wait at the barrier."""
    tasks = [asyncio.ensure_future(barrier.wait()) for _ in range(number)]
    await settle()
    return tasks


@shows([0, 1, 2], wrong.OneIndexForAll)
async def indexes(barrier_class: Thing) -> Any:
    return sorted(outcome(task) for task in await waiters(barrier_class(3), 3))


@shows(["pending"], wrong.OpensOnce)
async def second_cycle(barrier_class: Thing) -> Any:
    barrier = barrier_class(2)
    await waiters(barrier, 2)
    return [outcome(task) for task in await waiters(barrier, 1)]


@shows(["BrokenBarrierError", "BrokenBarrierError"], wrong.AbortLetsWaitersSleep)
async def abort_fails_all(barrier_class: Thing) -> Any:
    barrier = barrier_class(2)
    tasks = await waiters(barrier, 1)
    await barrier.abort()
    tasks += await waiters(barrier, 1)
    return [outcome(task) for task in tasks]


@shows("BrokenBarrierError", wrong.ResetLetsWaitersPass)
async def reset_fails_waiters(barrier_class: Thing) -> Any:
    barrier = barrier_class(2)
    (task,) = await waiters(barrier, 1)
    await barrier.reset()
    await settle()
    return outcome(task)


@shows(False, wrong.ResetLeavesItBroken)
async def reset_after_abort(barrier_class: Thing) -> Any:
    barrier = barrier_class(2)
    await barrier.abort()
    await barrier.reset()
    return barrier.broken


@shows((0, False, "pending"), wrong.CancelBreaksIt)
async def a_cancelled_waiter_is_gone(barrier_class: Thing) -> Any:
    barrier = barrier_class(2)
    (task,) = await waiters(barrier, 1)
    task.cancel()
    await settle()
    seen = barrier.n_waiting, barrier.broken
    (other,) = await waiters(barrier, 1)
    return *seen, outcome(other)


@shows(0, wrong.EntersWithoutIndex)
async def position_as_index(barrier_class: Thing) -> Any:
    async def enter() -> Any:
        async with barrier_class(1) as position:
            return position

    return await ended(enter())
