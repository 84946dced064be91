"""Witnesses of wrong/fourth/messages.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, settle, shows
from ...wrong.fourth import messages as wrong


async def _error_of(awaitable: Any) -> Any:
    try:
        await awaitable
    except BaseException as error:
        return error


async def _args_after_cancel(task: Any) -> Any:
    """Cancel a task that has come to wait, with a message, and return what its awaiter gets."""
    await settle()
    task.cancel("stop")
    return (await _error_of(task)).args


@shows(("",), wrong.FutureThatDropsAnEmptyMessage)
async def _cancel_with_an_empty_message(thing: Thing) -> Any:
    future = thing()
    future.cancel("")
    return (await _error_of(future)).args


@shows(("second",), wrong.TaskThatKeepsTheFirstMessage)
async def _cancel_twice_before_the_first_step(thing: Thing) -> Any:
    task = thing(asyncio.sleep(3600))
    task.cancel("first")
    task.cancel("second")
    return (await _error_of(task)).args


@shows([("stop",)], wrong.TaskThatHidesTheMessageFromATask)
async def _cancel_while_waiting_for_a_task(thing: Thing) -> Any:
    seen: list[Any] = []

    async def work() -> None:
        seen.append((await _error_of(asyncio.sleep(3600))).args)

    async def wait(task: Any) -> None:
        await task

    task = thing(wait(asyncio.create_task(work())))
    await settle()
    task.cancel("stop")
    await settle()
    return seen


@shows((("gone",), "KeyError"), wrong.TaskThatCutsTheChain)
async def _look_for_the_cause(thing: Thing) -> Any:
    async def give_up() -> None:
        raise asyncio.CancelledError("gone") from KeyError()

    error = await _error_of(thing(give_up()))
    return error.args, type(error.__cause__).__name__


@shows([("stop",), ()], wrong.gather_lists_bare_errors)
async def _list_a_cancelled_future(thing: Thing) -> Any:
    cancelled: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    cancelled.cancel("stop")
    failed: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    failed.set_exception(ValueError())
    return [error.args for error in await thing(cancelled, failed, return_exceptions=True)]


@shows(("stop",), wrong.shield_keeps_the_message)
async def _cancel_the_caller_of_shield(thing: Thing) -> Any:
    inner = asyncio.create_task(asyncio.sleep(3600))

    async def call() -> None:
        await thing(inner)

    return await _args_after_cancel(asyncio.create_task(call()))


@shows(("KeyError", True), wrong.shield_copies_the_error)
async def _fail_behind_a_shield(thing: Thing) -> Any:
    raised = ValueError("no")

    async def fail() -> None:
        raise raised from KeyError()

    error = await _error_of(thing(fail()))
    return type(error.__cause__).__name__, error is raised


@shows(("stop",), wrong.timeout_renews_a_foreign_cancellation)
async def _cancel_before_the_deadline(thing: Thing) -> Any:
    async def work() -> None:
        async with thing(10):
            await asyncio.sleep(3600)

    return await _args_after_cancel(asyncio.create_task(work()))


@shows(("TimeoutError", "CancelledError"), wrong.wait_for_no_time_hides_the_cause)
async def _wait_for_no_time(thing: Thing) -> Any:
    error = await _error_of(thing(asyncio.sleep(3600), 0))
    return type(error).__name__, type(error.__cause__).__name__


async def _fail_with(error: Exception) -> None:
    raise error


async def _group_of(thing: Thing, error: Exception) -> Any:
    async with thing() as group:
        group.create_task(_fail_with(error))


@shows(None, wrong.TaskGroupThatBlamesTheFirstError)
async def _look_for_the_cause_of_a_group(thing: Thing) -> Any:
    return (await _error_of(_group_of(thing, ValueError()))).__cause__


@shows(["ExceptionGroup"], wrong.TaskGroupThatFlattensGroups)
async def _fail_with_a_group(thing: Thing) -> Any:
    inner = ExceptionGroup("inner", [ValueError(), KeyError()])
    return [type(error).__name__ for error in (await _error_of(_group_of(thing, inner))).exceptions]
