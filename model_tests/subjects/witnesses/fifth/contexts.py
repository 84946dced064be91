"""Witnesses of wrong/fifth/contexts.py."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

from ...witness import Thing, settle, shows
from ...wrong.fifth import contexts as wrong

_VARIABLE = contextvars.ContextVar("_VARIABLE", default="default")


async def _get() -> str:
    return _VARIABLE.get()


async def _put(value: str) -> None:
    _VARIABLE.set(value)


@shows("set in the task", wrong.TaskThatCopiesItsContext)
async def _set_a_variable_in_a_given_context(thing: Thing) -> Any:
    context = contextvars.copy_context()
    await thing(_put("set in the task"), context=context)
    return context.run(_VARIABLE.get)


@shows(["adder"], wrong.FutureThatTakesTheContextWhenDone)
async def _add_a_callback_here_and_set_the_result_there(thing: Thing) -> Any:
    values: list[str] = []
    future = thing()

    async def add() -> None:
        _VARIABLE.set("adder")
        future.add_done_callback(lambda _: values.append(_VARIABLE.get()))

    async def finish() -> None:
        _VARIABLE.set("setter")
        future.set_result(None)

    await asyncio.create_task(add())
    await asyncio.create_task(finish())
    await settle()
    return values


@shows("set in the block", wrong.TaskGroupWithTheContextOfItsBegin)
async def _set_a_variable_before_a_task_of_the_group(thing: Thing) -> Any:
    async with thing() as group:
        _VARIABLE.set("set in the block")
        task = group.create_task(_get())
    return task.result()


@shows("default", wrong.create_task_ignores_an_empty_context)
async def _run_in_an_empty_context(thing: Thing) -> Any:
    _VARIABLE.set("set by the creator")
    return await thing(_get(), context=contextvars.Context())


@shows("set by the caller", wrong.to_thread_forgets_the_context)
def _read_a_variable_in_a_thread(thing: Thing) -> Any:
    async def main() -> Any:
        _VARIABLE.set("set by the caller")
        return await thing(_VARIABLE.get)

    return asyncio.run(main())  # the loop with the virtual clock waits for no thread
