"""Witnesses of wrong/fifth/messages.py."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from ...witness import Thing, settle, shows
from ...wrong.fifth import messages as wrong


async def _message(awaitable: Awaitable[Any]) -> Any:
    """Await, and return the arguments of the error."""
    try:
        return await awaitable
    except (Exception, asyncio.CancelledError) as error:
        return error.args


@shows(("stop",), wrong.TaskThatCancelsWhatItAwaitsWithoutMessage)
async def _cancel_a_waiting_task_with_a_message(thing: Thing) -> Any:
    task = thing(asyncio.sleep(3600))
    await settle()
    task.cancel("stop")
    return await _message(task)


@shows((), wrong.FutureWithTheMessageNone)
async def _cancel_a_future_without_a_message(thing: Thing) -> Any:
    future = thing()
    future.cancel()
    return await _message(future)


@shows(("no answer from the server",), wrong.wait_for_takes_each_timeout_error_for_its_own)
async def _fail_in_time_with_a_timeout_error(thing: Thing) -> Any:
    async def work() -> None:
        await asyncio.sleep(1)
        raise TimeoutError("no answer from the server")

    return await _message(thing(work(), 10))


@shows(("stop",), wrong.TaskGroupThatRaisesANewCancellation)
async def _cancel_a_group_with_a_message(thing: Thing) -> Any:
    async def work() -> None:
        async with thing() as group:
            group.create_task(asyncio.sleep(3600))

    task = asyncio.create_task(work())
    await settle()
    task.cancel("stop")
    return await _message(task)
