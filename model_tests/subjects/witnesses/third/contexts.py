"""Witnesses of wrong/third/contexts.py."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

from ...witness import Thing, settle, shows
from ...wrong.third import contexts as wrong

_VALUE: contextvars.ContextVar[str] = contextvars.ContextVar("_VALUE", default="none")


def _with(value: str) -> contextvars.Context:
    context = contextvars.copy_context()
    context.run(_VALUE.set, value)
    return context


@shows(["given"], wrong.FutureThatForgetsTheContextOfALateCallback)
async def _add_a_callback_to_a_done_future(thing: Thing) -> Any:
    found: list[str] = []
    future = thing()
    future.set_result(None)
    future.add_done_callback(lambda _: found.append(_VALUE.get()), context=_with("given"))
    await settle()
    return found


@shows(["first", "second"], wrong.FutureThatKeepsOneContext)
async def _add_callbacks_in_two_contexts(thing: Thing) -> Any:
    found: list[str] = []
    future = thing()
    for value in ("first", "second"):
        _with(value).run(future.add_done_callback, lambda _: found.append(_VALUE.get()))
    future.set_result(None)
    await settle()
    return found


@shows("set", wrong.FutureThatCopiesTheGivenContext)
async def _set_a_variable_in_a_callback(thing: Thing) -> Any:
    context = _with("given")
    future = thing()
    future.add_done_callback(lambda _: _VALUE.set("set"), context=context)
    future.set_result(None)
    await settle()
    return context[_VALUE]


async def _get() -> str:
    return _VALUE.get()


@shows("set", wrong.TaskThatLeavesItsContextAtAFuture)
async def _set_a_variable_after_a_wait(thing: Thing) -> Any:
    async def work() -> None:
        await asyncio.sleep(1)
        _VALUE.set("set")

    context = _with("given")
    await thing(work(), context=context)
    return context[_VALUE]


@shows("in the block", wrong.TaskGroupThatCopiesTheContextWhenEntered)
async def _set_a_variable_in_the_block(thing: Thing) -> Any:
    _VALUE.set("before the block")
    async with thing() as group:
        _VALUE.set("in the block")
        task = group.create_task(_get())
    return task.result()


async def _set() -> None:
    _VALUE.set("set")


@shows("set", wrong.RunnerThatCopiesTheGivenContext)
def _look_at_the_context_after_the_run(thing: Thing) -> Any:
    context = _with("given")
    with thing() as runner:
        runner.run(_set(), context=context)
    return context[_VALUE]


@shows([None, "none"], wrong.gather_has_one_context)
async def _set_a_variable_beside_another_coroutine(thing: Thing) -> Any:
    return await thing(_set(), _get())


@shows("none", wrong.to_thread_brings_changes_back)
def _set_a_variable_in_a_thread(thing: Thing) -> Any:
    async def main() -> str:
        await thing(_VALUE.set, "set in the thread")
        return _VALUE.get()

    return asyncio.run(main())


@shows(["of the caller"] * 2, wrong.to_thread_drops_the_context_with_arguments)
def _give_a_thread_arguments(thing: Thing) -> Any:
    def read(**_: Any) -> str:
        return _VALUE.get()

    async def main() -> list[str]:
        _VALUE.set("of the caller")
        return [await thing(read), await thing(read, unit="m")]

    return asyncio.run(main())
