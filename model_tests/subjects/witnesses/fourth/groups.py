"""Witnesses of wrong/fourth/groups.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows
from ...wrong.fourth import groups as wrong


async def _fail(delay: float = 0) -> None:
    await asyncio.sleep(delay)
    raise ValueError


async def _fail_when_cancelled() -> None:
    try:
        await asyncio.sleep(3600)
    finally:
        raise KeyError


@shows("SystemExit", wrong.TaskGroupThatWrapsAnExit)
async def _exit_in_the_body(thing: Thing) -> Any:
    try:
        async with thing() as group:
            group.create_task(asyncio.sleep(3600))
            raise SystemExit
    except BaseException as error:
        return type(error).__name__


@shows([("ExceptionGroup", 1)], wrong.TaskGroupThatTakesBackAllRequests)
async def _fail_while_being_cancelled(thing: Thing) -> Any:
    seen: list[Any] = []

    async def work() -> None:
        this: Any = asyncio.current_task()
        try:
            async with thing() as group:
                group.create_task(_fail_when_cancelled())
        except Exception as error:
            seen.append((type(error).__name__, this.cancelling()))

    task = asyncio.create_task(work())
    await settle()
    task.cancel()
    await asyncio.wait({task})
    return seen


@shows(["late", "after"], wrong.TaskGroupThatLeavesLateTasks)
async def _add_a_task_while_the_group_waits(thing: Thing) -> Any:
    log: list[str] = []

    async def late() -> None:
        await asyncio.sleep(1)
        log.append("late")

    async def add(group: Any) -> None:
        await asyncio.sleep(1)
        group.create_task(late())

    async with thing() as group:
        group.create_task(add(group))
    log.append("after")
    await asyncio.sleep(10)
    return log


@shows("RuntimeError", wrong.TaskGroupThatIsEnteredAgain)
async def _enter_twice(thing: Thing) -> Any:
    group = thing()
    async with group:
        pass
    return await ended(group.__aenter__())


@shows(["KeyError", "ValueError"], wrong.TaskGroupThatKeepsOneError)
async def _fail_in_two_tasks(thing: Thing) -> Any:
    try:
        async with thing() as group:
            group.create_task(_fail_when_cancelled())
            group.create_task(_fail())
    except ExceptionGroup as error:
        return sorted(type(error).__name__ for error in error.exceptions)


@shows(("interrupted", "ExceptionGroup"), wrong.TaskGroupThatLetsItsBodyWait)
async def _fail_while_the_body_waits(thing: Thing) -> Any:
    body = "not interrupted"
    try:
        async with thing() as group:
            group.create_task(_fail())
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                body = "interrupted"
                raise
    except Exception as error:
        return body, type(error).__name__


@shows("cancelled", wrong.TaskGroupThatSparesTheBodysTasks)
async def _fail_in_the_body(thing: Thing) -> Any:
    try:
        async with thing() as group:
            task = group.create_task(asyncio.sleep(10, "done"))
            await asyncio.sleep(1)
            raise ValueError
    except ExceptionGroup:
        return outcome(task)


@shows(("ValueError", "done"), wrong.gather_cancels_the_rest)
async def _fail_beside_another(thing: Thing) -> Any:
    other = asyncio.create_task(asyncio.sleep(10, "done"))
    return await ended(thing(_fail(), other)), await ended(other)


@shows(("CancelledError", ["ended"]), wrong.shield_for_tasks_only)
async def _cancel_the_caller(thing: Thing) -> Any:
    log: list[str] = []

    async def work() -> None:
        await asyncio.sleep(1)
        log.append("ended")

    async def call() -> None:
        await thing(work())

    task = asyncio.create_task(call())
    await settle()
    task.cancel()
    result = await ended(task)
    await asyncio.sleep(2)
    return result, log


@shows(["a"], wrong.as_completed_repeats_a_duplicate)
async def _give_a_task_twice(thing: Thing) -> Any:
    task = asyncio.create_task(asyncio.sleep(1, "a"))
    return [await each for each in thing([task, task])]


@shows(["a", "TimeoutError"], wrong.as_completed_refuses_what_was_in_time)
async def _come_after_the_deadline(thing: Thing) -> Any:
    results: list[Any] = []
    for each in thing([asyncio.sleep(1, "a"), asyncio.sleep(100, "b")], timeout=10):
        await asyncio.sleep(0 if results else 20)
        results.append(await ended(each))
    return results
