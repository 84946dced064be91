"""Witnesses of what runs code in another context."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

from ..witness import Thing, settle, shows
from ..wrong import contexts as wrong

# Any: what is made, asyncio's or a wrong one.

variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="default")


async def read() -> str:
    """Return the variable."""
    return variable.get()


async def write() -> None:
    """Set the variable."""
    variable.set("by the task")


@shows(["by the maker", "by the maker"], wrong.SharesTheContext, wrong.StartsFromEmpty)
async def a_copy_for_a_task(task_class: Thing) -> Any:
    async def maker() -> Any:
        variable.set("by the maker")
        task = task_class(read())
        seen = [await task]
        await task_class(write())
        return [*seen, variable.get()]

    return await task_class(maker())


def given() -> contextvars.Context:
    """Return a context with a value."""
    context = contextvars.Context()
    context.run(variable.set, "given")
    return context


@shows(["given", "by the task"], wrong.IgnoresTheContext, wrong.CopiesTheGiven)
async def a_given_context(task_class: Thing) -> Any:
    context = given()
    loop = asyncio.get_running_loop()
    seen = [await task_class(read(), loop=loop, context=context)]
    await task_class(write(), loop=loop, context=context)
    return [*seen, context[variable]]


@shows("set", wrong.NewContextEachStep)
async def a_value_after_a_suspension(task_class: Thing) -> Any:
    async def main() -> str:
        variable.set("set")
        await asyncio.sleep(0)
        return variable.get()

    return await task_class(main())


@shows(["default", "given"], wrong.CallsBackWhereSet, wrong.CallsBackElsewhere)
async def contexts_of_callbacks(future_class: Thing) -> Any:
    seen: list[str] = []
    future = future_class()
    future.add_done_callback(lambda future: seen.append(variable.get()))
    future.add_done_callback(lambda future: seen.append(variable.get()), context=given())
    variable.set("where the result is set")
    future.set_result(None)
    await settle()
    return seen


@shows("given", wrong.create_task_ignores_the_context)
async def context_for_create_task(create_task: Thing) -> Any:
    return await create_task(read(), context=given())


@shows(["by the task", "by the task"], wrong.RunnerForgets, wrong.RunnerUsesTheCallers)
def context_of_a_runner(runner_class: Thing) -> Any:
    with runner_class() as runner:
        runner.run(write())
        seen = [runner.run(read())]
        contextvars.copy_context().run(variable.set, "by the caller")
        return [*seen, runner.run(read())]


@shows("given", wrong.RunnerIgnoresTheContext)
def context_for_one_run(runner_class: Thing) -> Any:
    with runner_class() as runner:
        return runner.run(read(), context=given())


@shows("set", wrong.to_thread_without_context)
def context_in_a_thread(to_thread: Thing) -> Any:
    async def main() -> Any:
        variable.set("set")
        return await to_thread(variable.get)

    return asyncio.run(main())
