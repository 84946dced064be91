"""Witnesses of wrong/fifth/runners.py."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator
from typing import Any

from ...witness import Thing, settle, shows
from ...wrong.fifth import runners as wrong


def _quiet(loop: asyncio.AbstractEventLoop) -> None:
    loop.set_exception_handler(lambda loop, context: None)


@shows(["closed"], wrong.RunnerThatClosesGeneratorsFirst)
def _open_a_generator_in_a_clean_up(thing: Thing) -> Any:
    steps = []

    async def generate() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            steps.append("closed")

    generator = generate()

    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            await generator.__anext__()

    async def main() -> Any:
        task = asyncio.create_task(work())
        await settle()
        return task

    with thing() as runner:
        task = runner.run(main())
    return list(steps) if task.done() else "task is pending"


@shows("set in the first", wrong.RunnerWithAContextForEachRun)
def _set_a_variable_for_the_next_run(thing: Thing) -> Any:
    variable = contextvars.ContextVar("variable", default="default")

    async def put() -> None:
        variable.set("set in the first")

    async def get() -> str:
        return variable.get()

    with thing() as runner:
        runner.run(put())
        return runner.run(get())


@shows((True, "cancelled"), wrong.run_leaves_the_loop_open_after_an_error)
def _fail_beside_a_task(thing: Thing) -> Any:
    kept: list[Any] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        _quiet(loop)
        kept.extend((loop, asyncio.create_task(asyncio.sleep(3600))))
        await settle()
        raise ValueError

    try:
        thing(main())
    except ValueError:
        pass
    loop, task = kept
    found = loop.is_closed(), "cancelled" if task.cancelled() else "pending"
    if not loop.is_closed():
        task.cancel()
        loop.run_until_complete(settle())
        asyncio.set_event_loop(None)
        loop.close()
    return found
