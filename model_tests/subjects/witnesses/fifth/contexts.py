"""Witnesses of wrong/fifth/contexts.py."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

from ...witness import Thing, shows
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


@shows("set in the block", wrong.TaskGroupWithTheContextOfItsBegin)
async def _set_a_variable_before_a_task_of_the_group(thing: Thing) -> Any:
    async with thing() as group:
        _VARIABLE.set("set in the block")
        task = group.create_task(_get())
    return task.result()


@shows("set by the caller", wrong.to_thread_forgets_the_context)
def _read_a_variable_in_a_thread(thing: Thing) -> Any:
    async def main() -> Any:
        _VARIABLE.set("set by the caller")
        return await thing(_VARIABLE.get)

    return asyncio.run(main())  # the loop with the virtual clock waits for no thread
