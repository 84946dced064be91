"""Programs for trio: nurseries, cancel scopes, channels, locks, streams, asynchronous generators, and anyio on trio."""

import random
import uuid
from collections.abc import AsyncIterator
from functools import cache, partial
from typing import Any, Final

import anyio
import trio

from ..bridges import trio_programs
from . import Programs

# `Any`: see __init__.py.

program: Final = Programs()

contexts = cache(trio_programs.contexts)


program["trio_streams"] = partial(trio_programs.echo, None)
program["trio_streams_with_tls"] = lambda: trio_programs.echo(contexts())
program["trio_sharing"] = partial(trio_programs.sharing, None)


@program
async def trio_nursery_that_fails() -> Any:
    log: list[Any] = []

    async def wait(number: int) -> None:
        try:
            await trio.sleep(number)
            if number == 3:
                raise KeyError(number)
        finally:
            log.append(number)

    try:
        async with trio.open_nursery() as nursery:
            for number in (9, 8, 3, 7, 1, 5):
                nursery.start_soon(wait, number)
    except* KeyError as errors:
        log.append(repr(errors.exceptions))
    return log


@program
async def trio_limits() -> Any:
    log: list[Any] = []
    limiter, condition, semaphore = trio.CapacityLimiter(2), trio.Condition(), trio.Semaphore(1)

    async def work(number: int) -> None:
        async with limiter, semaphore:
            log.append(number)
            await trio.sleep(0.01)
        async with condition:
            await condition.wait()
            log.append(-number)

    async with trio.open_nursery() as nursery:
        for number in range(6):
            nursery.start_soon(work, number)
        await trio.sleep(1)
        async with condition:
            condition.notify_all()
    return log


@program
async def trio_scopes() -> Any:
    log: list[Any] = []

    async def wait(number: int) -> None:
        with trio.move_on_after(1 + number % 2) as scope:
            with trio.CancelScope(shield=number == 2):
                await trio.sleep(1.5)
        log.append((number, scope.cancelled_caught, trio.current_time()))

    async with trio.open_nursery() as nursery:
        for number in range(5):
            nursery.start_soon(wait, number)
    return log


@program
async def trio_generators() -> Any:
    log: list[int] = []

    async def numbers(start: int) -> AsyncIterator[int]:
        try:
            while True:
                yield start
                await trio.sleep(0.1)
        finally:
            log.append(start)

    kept = [numbers(start) for start in range(6)]
    for each in kept:
        await anext(each)
    kept.clear()
    await trio.sleep(1)
    return log


@program
async def trio_random_values() -> Any:
    log = [random.random(), random.Random().random(), str(uuid.uuid4())]

    async def wait(number: int) -> None:
        await trio.sleep(random.random())
        log.append(number)

    async with trio.open_nursery() as nursery:
        for number in range(6):
            nursery.start_soon(wait, number)
    return log


@program
async def anyio_on_trio() -> Any:
    log: list[Any] = []

    async def wait(number: int) -> None:
        with anyio.move_on_after(number):
            await anyio.sleep(2.5)
        log.append((number, anyio.current_time()))

    async with anyio.create_task_group() as group:
        for number in range(5):
            group.start_soon(wait, number)
    return log


@program
async def trio_deadlock() -> Any:
    one, two = trio.Lock(), trio.Lock()

    async def take(first: trio.Lock, second: trio.Lock) -> None:
        async with first:
            await trio.sleep(0)
            async with second:
                pass

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take, one, two)
        nursery.start_soon(take, two, one)
