"""Witnesses of wrong/fifth/eager.py."""

from __future__ import annotations

import asyncio
import contextvars
import sys
from typing import Any

from ...witness import Thing, settle, shows
from ...wrong.fifth import eager as wrong

if sys.version_info >= (3, 12):
    _VARIABLE = contextvars.ContextVar("_VARIABLE", default="default")

    @shows("given", wrong.eager_task_factory_drops_the_context)
    async def _start_in_a_given_context(thing: Thing) -> Any:
        async def work() -> str:
            return _VARIABLE.get()

        loop = asyncio.get_running_loop()
        loop.set_task_factory(thing)
        context = contextvars.copy_context()
        context.run(_VARIABLE.set, "given")
        return await loop.create_task(work(), context=context)

    @shows(1, wrong.create_eager_task_factory_ignores_the_constructor)
    async def _create_with_a_constructor(thing: Thing) -> Any:
        made: list[Any] = []

        def construct(coro: Any, **kwargs: Any) -> Any:
            made.append(asyncio.Task(coro, **kwargs))
            return made[-1]

        loop = asyncio.get_running_loop()
        loop.set_task_factory(thing(construct))
        await loop.create_task(settle())
        return len(made)

    @shows("eager", wrong.TaskThatStartsEagerlyAsItsCreator)
    async def _ask_for_the_current_task(thing: Thing) -> Any:
        async def work() -> Any:
            task = asyncio.current_task()
            return task and task.get_name()

        loop = asyncio.get_running_loop()
        return await thing(work(), loop=loop, name="eager", eager_start=True)

    @shows("default", wrong.TaskThatStartsEagerlyInTheContextOfItsCreator)
    async def _set_a_variable_in_the_eager_start(thing: Thing) -> Any:
        async def work() -> None:
            _VARIABLE.set("set in the task")

        await thing(work(), loop=asyncio.get_running_loop(), eager_start=True)
        return _VARIABLE.get()

    @shows(True, wrong.TaskThatIsUnknownAfterItsEagerStart)
    async def _list_a_task_that_waits(thing: Thing) -> Any:
        task = thing(settle(), loop=asyncio.get_running_loop(), eager_start=True)
        known = task in asyncio.all_tasks()
        await task
        return known
