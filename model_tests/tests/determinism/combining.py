"""Programs of tasks that await each other: gather, groups, wait, shield, timeouts, cancellation."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any, Final

from .registry import Programs
from .waiting import tasks

# `Any`: see registry.py.

program: Final = Programs()


@program
async def gathered_errors() -> Any:
    async def fail(number: int) -> int:
        await asyncio.sleep(number % 2)
        if number % 3 == 0:
            raise ValueError(number)
        return number

    return [repr(each) for each in await asyncio.gather(*map(fail, range(8)), return_exceptions=True)]


@program
async def nested_gathers() -> Any:
    log: list[int] = []

    async def note(number: int) -> int:
        await asyncio.sleep(0)
        log.append(number)
        return number

    inner = [asyncio.gather(*(note(10 * row + number) for number in range(4))) for row in range(3)]
    return [*await asyncio.gather(*inner), log]


@program
async def group_of_which_one_fails() -> Any:
    log: list[Any] = []

    async def wait(number: int) -> None:
        try:
            await asyncio.sleep(number)
            if number == 3:
                raise KeyError(number)
        finally:
            log.append(number)

    try:
        async with asyncio.TaskGroup() as group:
            for number in (9, 8, 3, 7, 1, 5):
                group.create_task(wait(number))
    except* KeyError as errors:
        log.append(repr(errors.exceptions))
    return log


@program
async def nested_groups() -> Any:
    log: list[int] = []

    async def branch(number: int) -> None:
        async with asyncio.TaskGroup() as group:
            for child in (2 * number, 2 * number + 1):
                if child < 16:
                    group.create_task(branch(child))
        log.append(number)

    await branch(1)
    return log


@program
async def first_of_a_set() -> Any:
    async def sleep(number: int) -> int:
        await asyncio.sleep(number % 3)
        return number

    left = set(tasks(sleep, 9))
    seen = []
    while left:
        done, left = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
        seen.append([task.result() for task in done])
    return seen


@program
async def wait_with_a_timeout() -> Any:
    async def sleep(number: int) -> int:
        await asyncio.sleep(number)
        return number

    done, pending = await asyncio.wait(tasks(sleep, 9), timeout=4.5)
    for task in pending:
        task.cancel()
    return [task.result() for task in done], [task.get_name() for task in pending]


@program
async def shielded() -> Any:
    log = []

    async def save(number: int) -> None:
        await asyncio.sleep(number / 10)
        log.append(number)

    async def serve(number: int) -> None:
        await asyncio.shield(save(number))

    serving = tasks(serve)
    await asyncio.sleep(0.25)
    for task in set(serving):
        task.cancel()
    await asyncio.sleep(1)
    return log


@program
async def nested_timeouts() -> Any:
    log = []

    async def inner(number: int) -> str:
        try:
            async with asyncio.timeout(1):
                async with asyncio.timeout(1 if number % 2 else 2):
                    await asyncio.sleep(10)
        except TimeoutError:
            log.append(number)
            return "timeout"
        return "end"

    return [await asyncio.gather(*tasks(inner)), log]


@program
async def wait_for() -> Any:
    async def reply(number: int) -> Any:
        try:
            return await asyncio.wait_for(asyncio.sleep(number, number), 2)
        except TimeoutError:
            return -number

    return await asyncio.gather(*map(reply, range(5)))


@program
async def chain_of_awaits_that_is_cancelled() -> Any:
    log: list[int] = []

    async def link(number: int) -> None:
        try:
            await (asyncio.create_task(link(number + 1)) if number < 10 else asyncio.sleep(100))
        finally:
            log.append(number)

    first = asyncio.create_task(link(0))
    await asyncio.sleep(1)
    first.cancel()
    await asyncio.wait([first])
    return log


@program
async def cancels_that_are_swallowed() -> Any:
    log: list[tuple[int, int]] = []

    async def stubborn(number: int) -> None:
        for attempt in range(3):
            try:
                await asyncio.sleep(10)
            except asyncio.CancelledError:
                log.append((number, attempt))

    waiting = tasks(stubborn, 4)
    for _ in range(3):
        await asyncio.sleep(1)
        for task in set(waiting):
            task.cancel()
    await asyncio.wait(waiting)
    return log


@program
async def context_variables() -> Any:
    number_of: contextvars.ContextVar[int] = contextvars.ContextVar("number_of", default=0)
    log = []

    async def note(number: int) -> None:
        number_of.set(number)
        await asyncio.sleep(0)
        log.append(number_of.get())
        asyncio.get_running_loop().call_soon(lambda: log.append(number_of.get() * 10))
        await asyncio.sleep(0)

    await asyncio.gather(*tasks(note))
    return log


@program
async def timers_of_one_instant() -> Any:
    loop = asyncio.get_running_loop()
    log: list[Any] = []
    for number in range(8):
        loop.call_later(1, log.append, number)
        loop.call_at(loop.time() + 1, log.append, -number)
    handle = loop.call_later(1, log.append, "cancelled")
    handle.cancel()
    await asyncio.sleep(1)
    return log
