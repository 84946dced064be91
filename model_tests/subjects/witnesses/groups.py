"""Witnesses of the wrong task groups."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from ..witness import Thing, ended, outcome, settle, shows
from ..wrong import groups as wrong

# Any: a group, asyncio's or a wrong one, and results.
Body = Callable[[Any], Coroutine[Any, Any, Any]]


async def fail(error: type[Exception] = ValueError) -> None:
    """Raise."""
    raise error


def grouped(group_class: Any, body: Body) -> asyncio.Task[Any]:
    """Start a task that runs the body in a group; it returns how that ended and the task's count of cancels."""

    async def main() -> Any:
        try:
            async with group_class() as group:
                await body(group)
        except BaseExceptionGroup as errors:
            ending: Any = [type(error).__name__ for error in errors.exceptions]
        except Exception as error:
            ending = type(error).__name__
        else:
            ending = "no error"
        task = asyncio.current_task()
        assert task is not None
        return ending, task.cancelling()

    return asyncio.ensure_future(main())


@shows(["ValueError", "KeyError"], wrong.RaisesTheFirst, wrong.RaisesOneOnly)
async def two_errors(group_class: Thing) -> Any:
    async def body(group: Any) -> None:
        group.create_task(fail())
        group.create_task(fail(KeyError))

    return (await grouped(group_class, body))[0]


@shows((["ValueError"], "cancelled"), wrong.LetsSiblingsRun)
async def siblings(group_class: Thing) -> Any:
    kept: list[asyncio.Task[Any]] = []

    async def body(group: Any) -> None:
        kept.append(group.create_task(asyncio.sleep(10)))
        group.create_task(fail())

    ending, _ = await grouped(group_class, body)
    return ending, outcome(kept[0])


@shows((["ValueError"], 0), wrong.LetsTheBodyWait, wrong.LeavesTheCount)
async def the_body_is_interrupted(group_class: Thing) -> Any:
    async def body(group: Any) -> None:
        group.create_task(fail())
        await asyncio.get_running_loop().create_future()

    return await grouped(group_class, body)


@shows("cancelled", wrong.SwallowsTheCancel)
async def a_cancelled_parent(group_class: Thing) -> Any:
    async def body(group: Any) -> None:
        group.create_task(asyncio.sleep(10))

    task = grouped(group_class, body)
    await settle()
    task.cancel()
    await settle()
    return outcome(task)


@shows("RuntimeError", wrong.TakesTasksWhileAborting)
async def a_task_while_it_shuts_down(group_class: Thing) -> Any:
    seen: list[str] = []

    async def body(group: Any) -> None:
        async def adds() -> None:
            try:
                await asyncio.sleep(10)
            finally:
                coro = asyncio.sleep(0)
                try:
                    group.create_task(coro)
                    seen.append("started")
                except RuntimeError as error:
                    seen.append(type(error).__name__)
                    coro.close()

        group.create_task(adds())
        await settle(2)
        group.create_task(fail())

    await grouped(group_class, body)
    return seen[0]


@shows((("no error", 0), "done"), wrong.EndsWithAChild)
async def a_cancelled_child(group_class: Thing) -> Any:
    kept: list[asyncio.Task[Any]] = []

    async def body(group: Any) -> None:
        kept.append(group.create_task(asyncio.sleep(1, "done")))
        group.create_task(asyncio.sleep(1)).cancel()

    return await grouped(group_class, body), outcome(kept[0])


@shows((["KeyError"], 0), wrong.RaisesTheBodyError)
async def an_error_of_the_body(group_class: Thing) -> Any:
    async def body(group: Any) -> None:
        raise KeyError

    return await grouped(group_class, body)


@shows(["cleanup", "end"], wrong.LeavesWhenCancelled)
async def cleanup_before_the_end(group_class: Thing) -> Any:
    log: list[str] = []

    async def cleans() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            await settle(3)
            log.append("cleanup")

    async def main() -> None:
        async with group_class() as group:
            group.create_task(cleans())
            await asyncio.sleep(10)

    task = asyncio.ensure_future(main())
    await settle()
    task.cancel()
    await ended(task)
    log.append("end")
    await settle()
    return log
