"""Witnesses of the wrong gather(), wait(), as_completed(), shield(), sleep() and task groups."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows, state
from ...wrong.third import waits as wrong


async def _await(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


@shows(["CancelledError", "pending"], wrong.gather_spreads_the_cancellation_of_one_child)
async def _cancel_one_child(thing: Thing) -> Any:
    loop = asyncio.get_running_loop()
    children = [loop.create_future(), loop.create_future()]
    outer = thing(*children)
    children[0].cancel()
    return [await ended(outer), await state(children[1])]


@shows([[1, 2], []], wrong.wait_takes_for_done_what_called_back)
async def _finish_another_just_before_wait_returns(thing: Thing) -> Any:
    loop = asyncio.get_running_loop()
    first, second = loop.create_future(), loop.create_future()
    waiter = asyncio.create_task(thing([first, second], return_when=asyncio.FIRST_COMPLETED))
    await settle()
    first.add_done_callback(lambda _: second.set_result(2))
    first.set_result(1)
    done, pending = await waiter
    return [sorted(outcome(future) for future in done), [future.done() for future in pending]]


@shows([1, "TimeoutError"], wrong.as_completed_starts_the_timeout_anew_for_each_result)
async def _take_longer_in_all_than_the_timeout(thing: Thing) -> Any:
    loop = asyncio.get_running_loop()
    first, second = loop.create_future(), loop.create_future()
    loop.call_later(3, first.set_result, 1)
    loop.call_later(6, second.set_result, 2)
    return [await ended(result) for result in thing([first, second], timeout=5)]


@shows(["cancelled", 1], wrong.shield_gives_all_callers_the_same_future)
async def _cancel_one_of_two_that_shield_the_same(thing: Thing) -> Any:
    inner = asyncio.get_running_loop().create_future()
    callers = [asyncio.create_task(_await(thing(inner))) for _ in range(2)]
    await settle()
    callers[0].cancel()
    await settle()
    inner.set_result(1)
    return [await state(caller) for caller in callers]


@shows(["other task", "late"], wrong.sleep_does_not_suspend_for_a_negative_delay)
async def _sleep_for_a_negative_time(thing: Thing) -> Any:
    log: list[str] = []
    asyncio.get_running_loop().call_soon(log.append, "other task")
    log.append(await thing(-1, "late"))
    return log


async def _clean_up(error: Exception | None) -> None:
    """Sleep, and when cancelled clean up for some time, and fail if there is an error."""
    try:
        await asyncio.sleep(10)
    finally:
        await asyncio.sleep(5)
        if error is not None:
            raise error


@shows(["KeyError", "ValueError"], wrong.TaskGroupDropsTheErrorOfItsBody)
async def _fail_in_the_body_and_then_in_a_task(thing: Thing) -> Any:
    try:
        async with thing() as group:
            group.create_task(_clean_up(KeyError()))
            await settle()
            raise ValueError
    except BaseExceptionGroup as raised:
        return sorted(type(error).__name__ for error in raised.exceptions)


@shows(["pending", "done when the task is"], wrong.TaskGroupLeavesWhenCancelledAgain)
async def _cancel_a_group_twice(thing: Thing) -> Any:
    children: list[asyncio.Task[None]] = []

    async def parent() -> None:
        async with thing() as group:
            children.append(group.create_task(_clean_up(None)))

    task = asyncio.create_task(parent())
    await settle()
    task.cancel()
    await settle()
    task.cancel()
    before = await state(task)
    await ended(task)
    return [before, "done when the task is" if children[0].done() else "done before the task"]
