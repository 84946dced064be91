"""Witnesses of wrong/third/eager.py."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import sys
from typing import Any

from ...witness import Thing, outcome, settle, shows, state

if sys.version_info >= (3, 12):
    from ...wrong.third import eager as wrong

    _VALUE: contextvars.ContextVar[str] = contextvars.ContextVar("_VALUE", default="none")

    async def _set() -> str:
        _VALUE.set("set by the task")
        return "done"

    def _start(thing: Thing, coro: Any) -> Any:
        return thing(coro, loop=asyncio.get_running_loop(), eager_start=True)  # the class in C wants the loop

    @shows("none", wrong.TaskThatStartsInTheCallersContext)
    async def _set_a_variable_in_the_first_step(thing: Thing) -> Any:
        await _start(thing, _set())
        return _VALUE.get()

    @shows(False, wrong.TaskThatStartsAsItsCreator)
    async def _ask_for_the_task_in_the_first_step(thing: Thing) -> Any:
        async def work() -> Any:
            return asyncio.current_task()

        return await _start(thing, work()) is asyncio.current_task()

    @shows(2, wrong.TaskThatIsUnknownUntilItSuspends)
    async def _count_tasks_in_the_first_step(thing: Thing) -> Any:
        async def work() -> Any:
            return len(asyncio.all_tasks())

        return await _start(thing, work())

    @shows(True, wrong.TaskThatIsUnknownOnceItSuspends)
    async def _look_for_a_suspended_task(thing: Thing) -> Any:
        task = _start(thing, asyncio.sleep(1))
        listed = task in asyncio.all_tasks()
        await task
        return listed

    @shows(([], ["ran"]), wrong.TaskThatStartsBeforeTheLoop)
    def _make_a_task_before_the_loop_runs(thing: Thing) -> Any:
        ran: list[str] = []

        async def work() -> None:
            ran.append("ran")

        loop = asyncio.new_event_loop()
        try:
            task = thing(work(), loop=loop, eager_start=True)
            before = list(ran)
            loop.run_until_complete(task)
            return before, ran
        finally:
            loop.close()

    @shows("ValueError", wrong.TaskThatRaisesWhereItIsMade)
    async def _fail_in_the_first_step(thing: Thing) -> Any:
        async def work() -> None:
            raise ValueError

        try:
            task = _start(thing, work())
        except ValueError:
            return "raised by the constructor"
        return outcome(task)

    @shows("cancelled", wrong.TaskThatIsSetUpAfterItsStart)
    async def _cancel_in_the_first_step(thing: Thing) -> Any:
        async def work() -> str:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            await asyncio.sleep(0)
            return "ran on"

        return await state(_start(thing, work()))

    @shows("cancelled", wrong.TaskThatForgetsWhatItAwaitsFirst)
    async def _cancel_after_the_first_step(thing: Thing) -> Any:
        task = _start(thing, asyncio.sleep(10))
        task.cancel()
        return await state(task)

    @shows(["outer begins", "inner", "outer ends"], wrong.eager_task_factory_starts_one_at_a_time)
    async def _make_a_task_in_the_first_step(thing: Thing) -> Any:
        order = []

        async def inner() -> None:
            order.append("inner")

        async def outer() -> None:
            order.append("outer begins")
            task = asyncio.create_task(inner())
            order.append("outer ends")
            await task

        asyncio.get_running_loop().set_task_factory(thing)
        await asyncio.create_task(outer())
        return order

    @shows("set by the task", wrong.eager_task_factory_drops_the_context)
    async def _give_the_factory_a_context(thing: Thing) -> Any:
        context = contextvars.copy_context()
        asyncio.get_running_loop().set_task_factory(thing)
        await asyncio.create_task(_set(), context=context)
        return context.get(_VALUE)

    class _Own(asyncio.Task[Any]):
        """A task of a class of one's own."""

    @shows("_Own", wrong.create_eager_task_factory_makes_plain_tasks)
    async def _look_at_the_class_of_a_task(thing: Thing) -> Any:
        asyncio.get_running_loop().set_task_factory(thing(_Own))
        task = asyncio.create_task(_set())
        await settle()
        return type(task).__name__

    @shows("done", wrong.create_eager_task_factory_wants_a_class)
    async def _construct_by_a_partial(thing: Thing) -> Any:
        asyncio.get_running_loop().set_task_factory(thing(functools.partial(_Own)))
        return outcome(asyncio.create_task(_set()))
