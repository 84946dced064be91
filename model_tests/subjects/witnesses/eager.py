"""Witnesses of the wrong eager tasks (Python 3.12 and newer)."""

from __future__ import annotations

import asyncio
import contextvars
import sys
from typing import Any

from ..witness import Thing, outcome, settle, shows
from ..wrong import eager as wrong

# Any: what is made, asyncio's or a wrong one.

variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="default")

if sys.version_info >= (3, 12):

    def start(task_class: Any, coro: Any, **options: Any) -> Any:
        """Make an eager task."""
        return task_class(coro, loop=asyncio.get_running_loop(), eager_start=True, **options)

    @shows("default", wrong.StartsWithoutContext)
    async def the_eager_part_has_a_copy(task_class: Thing) -> Any:
        async def write() -> None:
            variable.set("by the task")

        start(task_class, write())
        return variable.get()

    @shows("inner", wrong.StartsAsItsMaker)
    async def current_task_in_the_eager_part(task_class: Thing) -> Any:
        names: list[str] = []

        async def inner() -> None:
            task = asyncio.current_task()
            assert task is not None
            names.append(task.get_name())

        start(task_class, inner(), name="inner")
        return names[0]

    @shows(["inner"], wrong.HiddenUntilDone)
    async def all_tasks_after_the_eager_part(task_class: Thing) -> Any:
        kept = start(task_class, settle(), name="inner")
        others = asyncio.all_tasks() - {asyncio.current_task()}
        del kept
        return [task.get_name() for task in others]

    @shows("ValueError", wrong.RaisesWhenMade)
    async def an_error_in_the_eager_part(task_class: Thing) -> Any:
        async def fail() -> None:
            raise ValueError

        return outcome(start(task_class, fail()))

    @shows("result", wrong.DoneTooLate)
    async def done_in_the_eager_part(task_class: Thing) -> Any:
        async def ends() -> str:
            return "result"

        return outcome(start(task_class, ends()))

    def create(factory: Any, coro: Any, **options: Any) -> Any:
        """Make a task with the factory."""
        loop = asyncio.get_running_loop()
        loop.set_task_factory(factory)
        try:
            return asyncio.create_task(coro, **options)
        finally:
            loop.set_task_factory(None)

    @shows(["task", "maker"], wrong.eager_task_factory_starts_late)
    async def order_of_an_eager_start(factory: Thing) -> Any:
        log: list[str] = []

        async def first() -> None:
            log.append("task")

        task = create(factory, first())
        log.append("maker")
        await task
        return log

    @shows("given", wrong.eager_task_factory_drops_contexts)
    async def context_for_an_eager_task(factory: Thing) -> Any:
        async def first() -> str:
            return variable.get()

        context = contextvars.Context()
        context.run(variable.set, "given")
        return await create(factory, first(), context=context)

    @shows("Own", wrong.create_eager_task_factory_of_one_kind)
    async def eager_tasks_of_a_class(create_factory: Thing) -> Any:
        class Own(asyncio.Task[Any]):
            """A task class of a user."""

        task = create(create_factory(Own), settle())
        await task
        return type(task).__name__
