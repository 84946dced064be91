"""Witnesses of wrong/fifth/tasks.py."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Generator
from typing import Any

from ...witness import Thing, settle, shows, state
from ...wrong.fifth import tasks as wrong

_VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("_VARIABLE", default="unset")


@shows((True, "cancelled"), wrong.TaskThatIsCancelledOnce)
async def _cancel_again_after_the_first_was_caught(thing: Thing) -> Any:
    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            await asyncio.get_running_loop().create_future()

    task = thing(work(), loop=asyncio.get_running_loop())
    await settle()
    task.cancel()
    await settle()
    return task.cancel(), await state(task)


@shows("unset", wrong.create_task_takes_an_empty_context_for_none)
async def _run_in_an_empty_context(thing: Thing) -> Any:
    async def work() -> str:
        return _VARIABLE.get()

    _VARIABLE.set("set")
    return await thing(work(), context=contextvars.Context())


class _LikeAFuture:
    """A future of a library, without a base of asyncio."""

    _asyncio_future_blocking = False

    def __init__(self, future: asyncio.Future[Any]) -> None:
        self._future = future

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._future.get_loop()

    def __await__(self) -> Generator[Any, None, Any]:
        return self._future.__await__()


@shows(True, wrong.ensure_future_wraps_the_future_of_a_library)
async def _pass_an_object_like_a_future(thing: Thing) -> Any:
    obj = _LikeAFuture(asyncio.get_running_loop().create_future())
    return thing(obj) is obj


@shows((True, False), wrong.all_tasks_leaves_out_the_cancelled)
async def _list_a_task_in_its_clean_up(thing: Thing) -> Any:
    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(10)

    task = asyncio.create_task(work())
    await settle()
    task.cancel()
    await settle()
    listed = task in thing()
    await asyncio.wait({task})
    return listed, task in thing()


@shows((True, None), wrong.current_task_ignores_the_loop)
async def _ask_for_a_loop_that_does_not_run(thing: Thing) -> Any:
    other = asyncio.new_event_loop()
    try:
        return thing() is asyncio.current_task(), thing(other)
    finally:
        other.close()


@shows(["other", "slept"], wrong.sleep_returns_at_once_if_negative)
async def _sleep_for_a_negative_time(thing: Thing) -> Any:
    seen: list[str] = []
    asyncio.get_running_loop().call_soon(seen.append, "other")
    seen.append(await thing(-1, "slept"))
    await settle()
    return seen
