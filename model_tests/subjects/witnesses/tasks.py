"""Witnesses of the wrong tasks, and of the functions that make, list and pause them."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, ended, settle, shows, state
from ..wrong import tasks as wrong

# Any: what a task returns.


async def nothing() -> None:
    """Return at once."""


@shows("7", wrong.NamesAnyObject)
async def name_of_a_number(task_class: Thing) -> Any:
    task = task_class(nothing())
    task.set_name(7)
    return task.get_name()


@shows("raises RuntimeError", wrong.TakesAResult)
async def result_from_outside(task_class: Thing) -> Any:
    task_class(asyncio.sleep(0)).set_result(1)
    return "accepted"


@shows("ValueError", wrong.WrapsErrors)
async def the_error_of_a_task(task_class: Thing) -> Any:
    async def fail() -> None:
        raise ValueError

    return await state(task_class(fail()))


@shows(["main", "other"], wrong.all_tasks_but_the_caller)
async def names_of_all_tasks(all_tasks: Thing) -> Any:
    main = asyncio.current_task()
    assert main is not None
    main.set_name("main")
    other = asyncio.create_task(nothing(), name="other")
    names = sorted(task.get_name() for task in all_tasks())
    await other
    return names


@shows([None], wrong.current_task_or_any)
async def current_task_of_a_callback(current_task: Thing) -> Any:
    seen: list[Any] = []
    asyncio.get_running_loop().call_soon(lambda: seen.append(current_task()))
    await settle()
    return seen


@shows("worker", wrong.create_task_without_name)
async def name_of_a_task(create_task: Thing) -> Any:
    task = create_task(nothing(), name="worker")
    await task
    return task.get_name()


@shows("result", wrong.sleep_forgets_the_result)
async def result_of_a_short_sleep(sleep: Thing) -> Any:
    return await sleep(0, "result")


@shows(["before", "other", "after"], wrong.sleep_blocks)
async def others_run_during_a_sleep(sleep: Thing) -> Any:
    log = ["before"]

    async def other() -> None:
        log.append("other")

    task = asyncio.create_task(other())
    await ended(sleep(0.01))
    log.append("after")
    await task
    return log
