"""Witnesses of wrong/fifth/edges.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, shows
from ...wrong.fifth import edges as wrong


@shows(["other", "slept"], wrong.sleep_goes_on_below_zero)
async def _let_another_task_run(thing: Thing) -> Any:
    order: list[str] = []

    async def other() -> None:
        order.append("other")

    task = asyncio.create_task(other())
    order.append(await thing(-1, "slept"))
    await task
    return order


@shows("TypeError", wrong.wait_takes_coroutines)
async def _wait_for_a_coroutine(thing: Thing) -> Any:
    coroutine = asyncio.sleep(1)
    try:
        return await ended(thing([coroutine]))
    finally:
        coroutine.close()


@shows("result", wrong.wait_for_at_zero_forgets_the_result)
async def _wait_no_time_for_a_done_future(thing: Thing) -> Any:
    future = asyncio.get_running_loop().create_future()
    future.set_result("result")
    return await ended(thing(future, 0))
