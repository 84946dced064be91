"""aiotools: groups that outlive errors run each task to its end, call the handler for each error, and shut down."""

from __future__ import annotations

import asyncio
from types import TracebackType

from aiotools import PersistentTaskGroup, Supervisor

from ..harness import Harness


class Broken(Exception):
    """The error of a task."""


async def work(number: int) -> int:
    await asyncio.sleep(0.01 * number)
    if number == 1:
        raise Broken
    return number


async def handle(group: PersistentTaskGroup, number: int) -> int | None:
    try:
        result: int = await group.create_task(work(number))
    except Broken:
        return None
    return result


async def supervise() -> list[int]:
    async with Supervisor() as supervisor:
        tasks = [supervisor.create_task(work(number)) for number in range(3)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
    return [result for result in results if isinstance(result, int)]


async def rest() -> None:
    try:
        await asyncio.sleep(1)
    finally:
        await asyncio.sleep(0.01)  # it takes some time to end


async def own(scopes: list[Supervisor]) -> None:
    async with Supervisor() as scope:
        scopes.append(scope)
        scope.create_task(rest())
        await asyncio.sleep(1)


async def close(scope: Supervisor) -> None:
    await scope.aclose()
    await asyncio.sleep(0.01)


async def main() -> int:
    errors: list[BaseException] = []

    async def report(_: type[BaseException], error: BaseException, __: TracebackType) -> None:
        errors.append(error)

    async with PersistentTaskGroup(exception_handler=report) as group:
        handlers = [asyncio.create_task(handle(group, number)) for number in range(3)]
        supervised = asyncio.create_task(supervise())
        await asyncio.wait([*handlers, supervised])
        await asyncio.sleep(0.1)
        assert len(errors) == 1, f"the handler was called for {errors} and not for one error"
    for number, handler in enumerate(handlers):
        assert handler.cancelled() or handler.result() == (None, number)[number != 1], f"{handler.result()}"
    assert supervised.cancelled() or supervised.result() == [0, 2]
    assert supervised.cancelled() or supervised.cancelling() == 0, "a supervisor was cancelled and went on"
    scopes: list[Supervisor] = []
    owner = asyncio.create_task(own(scopes))
    while not scopes:
        await asyncio.sleep(0.01)
    closer = asyncio.create_task(close(scopes[0]))
    await asyncio.wait([owner, closer])
    assert closer.cancelled() or closer.cancelling() == 0, "a task that closes was cancelled and went on"
    return sum(handler.cancelled() for handler in handlers)


HARNESS = Harness(
    "aiotools",
    main,
    cancel="handle,supervise,close",
    finds={
        "DeadlockError*": "aiotools_close",
        "AssertionError: a task that closes was cancelled and went on": "aiotools_scope",
        "AssertionError: the handler was called for [[]] and not*": "aiotools_handler",
        "Leaked: *unhandled exception in the exception handler*": "aiotools_handler",
    },
)
