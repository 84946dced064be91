"""Witnesses of what loses or changes the message of a cancel()."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from ..witness import Thing, settle, shows
from ..wrong import messages as wrong

# Any: messages, and what an operation returns.


async def message_in(task: asyncio.Task[Any], message: Any, log: list[Any]) -> list[Any]:
    """Cancel a task with the message once it waits, and return its log."""
    await settle()
    task.cancel(message)
    await settle()
    return log


async def logged(awaitable: Any, log: list[Any]) -> None:
    """Await, and log the arguments of the CancelledError."""
    try:
        await awaitable
    except asyncio.CancelledError as error:
        log.append(error.args)
        raise


@shows([(7,)], wrong.MessageBecomesText)
async def message_that_is_a_number(task_class: Thing) -> Any:
    log: list[Any] = []
    return await message_in(task_class(logged(asyncio.sleep(1), log)), 7, log)


@shows([("first",), ("second",)], wrong.MessageOfTheFirstStays)
async def two_messages(task_class: Thing) -> Any:
    log: list[Any] = []

    async def stubborn() -> None:
        for _ in range(2):
            try:
                await logged(asyncio.sleep(1), log)
            except asyncio.CancelledError:
                continue

    task = task_class(stubborn())
    await message_in(task, "first", log)
    return await message_in(task, "second", log)


@shows([("stop",), ()], wrong.NoMessageIsNone)
async def message_of_a_future(future_class: Thing) -> Any:
    log: list[Any] = []
    for arguments in (("stop",), ()):
        future = future_class()
        future.cancel(*arguments)
        try:
            future.result()
        except asyncio.CancelledError as error:
            log.append(error.args)
    return log


@shows([("stop",)], wrong.LockLosesTheMessage)
async def message_at_a_lock(lock_class: Thing) -> Any:
    lock = lock_class()
    await lock.acquire()
    log: list[Any] = []
    return await message_in(asyncio.ensure_future(logged(lock.acquire(), log)), "stop", log)


@shows([("stop",)], wrong.QueueLosesTheMessage)
async def message_at_a_queue(queue_class: Thing) -> Any:
    log: list[Any] = []
    return await message_in(asyncio.ensure_future(logged(queue_class().get(), log)), "stop", log)


@shows([("stop",), ("stop",)], wrong.gather_drops_the_message)
async def message_for_children(gather: Thing) -> Any:
    log: list[Any] = []

    async def main() -> None:
        await gather(logged(asyncio.sleep(1), log), logged(asyncio.sleep(1), log))

    return await message_in(asyncio.ensure_future(main()), "stop", log)


if sys.version_info >= (3, 12):

    @shows([("stop",)], wrong.wait_for_drops_the_message)
    async def message_through_wait_for(wait_for: Thing) -> Any:
        log: list[Any] = []

        async def main() -> None:
            await wait_for(logged(asyncio.sleep(1), log), 10)

        return await message_in(asyncio.ensure_future(main()), "stop", log)
