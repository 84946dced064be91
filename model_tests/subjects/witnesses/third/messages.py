"""Witnesses of wrong/third/messages.py."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from ...witness import Thing, ended, settle, shows, state
from ...wrong.third import messages as wrong


async def _message(awaitable: Awaitable[Any]) -> Any:
    """Return the arguments of the CancelledError that ends the wait."""
    try:
        return await awaitable
    except asyncio.CancelledError as error:
        return error.args


@shows((False, ("first",)), wrong.FutureThatTakesTheLastMessage)
async def _cancel_a_future_twice(thing: Thing) -> Any:
    future = thing(loop=asyncio.get_running_loop())
    future.cancel("first")
    return future.cancel("second"), await _message(future)


@shows(("why",), wrong.TaskThatForgetsTheEarlyMessage)
async def _cancel_a_task_before_it_begins(thing: Thing) -> Any:
    task = thing(asyncio.sleep(3600), loop=asyncio.get_running_loop())
    task.cancel("why")
    return await _message(task)


@shows(("my own",), wrong.TaskThatRepeatsTheRequest)
async def _end_with_another_cancelled_error(thing: Thing) -> Any:
    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            raise asyncio.CancelledError("my own") from None

    task = thing(work(), loop=asyncio.get_running_loop())
    await settle()
    task.cancel("theirs")
    return await _message(task)


@shows(("CancelledError", True), wrong.shield_fails_instead_of_being_cancelled)
async def _cancel_what_is_shielded(thing: Thing) -> Any:
    inner = asyncio.create_task(asyncio.sleep(3600))
    outer = thing(inner)
    await settle()
    inner.cancel()
    return await ended(outer), outer.cancelled()


@shows(("stop",), wrong.wait_for_raises_a_new_error)
async def _cancel_a_waiter_with_a_message(thing: Thing) -> Any:
    task = asyncio.create_task(_message(thing(asyncio.sleep(3600), 10)))
    await settle()
    task.cancel("stop")
    return await state(task)


@shows(("stop",), wrong.TaskGroupThatRaisesANewError)
async def _cancel_a_group_with_a_message(thing: Thing) -> Any:
    async def work() -> None:
        async with thing() as group:
            group.create_task(asyncio.sleep(3600))

    task = asyncio.create_task(_message(work()))
    await settle()
    task.cancel("stop")
    return await state(task)


@shows("CancelledError", wrong.timeout_hides_the_cause)
async def _look_at_the_cause_of_a_timeout(thing: Thing) -> Any:
    try:
        async with thing(1):
            await asyncio.sleep(3600)
    except TimeoutError as error:
        return type(error.__cause__).__name__
