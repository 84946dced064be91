"""Programs with sets, finalizers, generators, random values, clocks, logs and functions in threads; and vectors."""

import asyncio
import contextlib
import io
import logging
import random
import secrets
import sys
import tempfile
import time
import uuid
import weakref
from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial
from typing import Any, Final

from ...assurance.reduction.loop_programs import LoopProgram
from ...conformance.normal import strings
from ...programs.vectors.catalogue import CATALOGUE
from ...programs.vectors.vector import Vector
from . import Programs

# `Any`: see __init__.py.

program: Final = Programs()


async def sleeper(number: int) -> int:
    await asyncio.sleep(number % 3 / 10)
    return number


async def at_once(number: int) -> int:
    return number


@program
async def as_completed_of_coroutines() -> Any:
    return [await each for each in asyncio.as_completed([sleeper(n) for n in range(9)])]


@program
async def as_completed_over_a_set() -> Any:
    made = {asyncio.create_task(at_once(number)) for number in range(9)}
    return [await each for each in asyncio.as_completed(made)]


@program
async def as_completed_without_waiting() -> Any:
    return [await each for each in asyncio.as_completed(map(at_once, range(9)), timeout=5)]


@program
async def as_completed_of_an_unordered_mixture() -> Any:
    given: list[Any] = [at_once(n) for n in range(4)]
    given += [asyncio.ensure_future(at_once(n)) for n in range(4, 8)]
    return [await each for each in asyncio.as_completed([*given, *given[4:]], timeout=1)]


@program
async def set_that_is_waited_for() -> Any:
    done, pending = await asyncio.wait({asyncio.create_task(sleeper(n)) for n in range(8)}, timeout=0.15)
    first = [task.result() for task in done]
    done, _ = await asyncio.wait(pending)
    return [*first, *(task.result() for task in done)]


@program
async def group_that_is_cancelled() -> Any:
    log: list[Any] = []

    async def waits(name: str) -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            log.append(name)

    try:
        async with asyncio.TaskGroup() as group:
            for name in "abcdefgh":
                group.create_task(waits(name))
            await asyncio.sleep(1)
            raise ValueError
    except* ValueError as errors:
        log.append(repr(errors.exceptions))
    return log


@program
async def set_of_tasks() -> Any:
    background: set[asyncio.Task[int]] = set()
    log: list[int] = []
    for number in range(9):
        task = asyncio.create_task(sleeper(number))
        background.add(task)
        task.add_done_callback(background.discard)
        task.add_done_callback(lambda task: log.append(task.result()))
    await asyncio.sleep(0.15)
    for task in list(background):
        await task
        log.append(len(background))
    return log


@program
async def weak_set_of_tasks() -> Any:
    every: weakref.WeakSet[asyncio.Task[int]] = weakref.WeakSet()
    kept = [asyncio.create_task(at_once(number)) for number in range(9)]
    for task in kept:
        every.add(task)
    return [await task for task in every]


@program
async def all_tasks() -> Any:
    kept = [asyncio.create_task(sleeper(number), name=f"sleeper {number}") for number in range(9)]
    await asyncio.sleep(0.05)
    names = [task.get_name() for task in asyncio.all_tasks()]
    await asyncio.wait(kept)
    return names


@program
async def set_of_futures() -> Any:
    loop = asyncio.get_running_loop()
    futures = {loop.create_future(): number for number in range(9)}
    for future in set(futures):
        loop.call_later(1, future.set_result, None)
    done, _ = await asyncio.wait(futures)
    return [futures[future] for future in done]


@program
async def unfinished_generators() -> Any:
    log: list[int] = []

    async def numbers(start: int) -> AsyncIterator[int]:
        try:
            for number in range(start, start + 3):
                await asyncio.sleep(0)
                yield number
        finally:
            await asyncio.sleep(0)
            log.append(start)

    for start in range(6):
        async for _ in numbers(10 * start):
            break
    await asyncio.sleep(1)
    return log


@program
async def generators_that_are_closed() -> Any:
    log: list[int] = []

    async def numbers(start: int) -> AsyncGenerator[int, None]:
        try:
            while True:
                yield start
                await asyncio.sleep(0.1)
        finally:
            log.append(start)

    async def read(start: int) -> None:
        async with contextlib.aclosing(numbers(start)) as mine:
            log.append(len([number async for number in mine if number < 0]))

    reading = [asyncio.create_task(read(start)) for start in range(5)]
    await asyncio.sleep(0.35)
    for task in set(reading):
        task.cancel()
    await asyncio.wait(reading)
    return log


class Cycle:
    """An object that only the garbage collector can free; its finalizer is visible."""

    def __init__(self, log: list[int], number: int) -> None:
        self.me, self.log, self.number = self, log, number

    def __del__(self) -> None:
        self.log.append(self.number)


@program
async def finalizers() -> Any:
    log: list[int] = []
    for number in range(200):
        Cycle(log, number)
        await asyncio.sleep(0)
    return list(log)


@program
async def random_values() -> Any:
    random.shuffle(letters := list("abcdef"))
    values = [
        random.random(),
        random.Random().random(),
        secrets.token_hex(),
        str(uuid.uuid4()),
        str(uuid.uuid1()),
    ]
    random.seed()
    return [*values, random.random(), letters, random.SystemRandom().choice("abc")]


@program
async def pauses_that_are_drawn() -> Any:
    log = []

    async def wait(number: int) -> None:
        await asyncio.sleep(random.expovariate(1))
        log.append(number)
        await asyncio.sleep(secrets.randbelow(1000) / 1000)
        log.append(-number)

    await asyncio.gather(*map(wait, range(9)))
    return log


@program
async def clocks() -> Any:
    await asyncio.sleep(1.5)
    time.sleep(0.25)
    begun = [time.time(), time.monotonic_ns(), time.perf_counter(), time.process_time()]
    return [*begun, time.gmtime(), time.ctime(), time.strftime("%F %T"), asyncio.get_running_loop().time()]


@program
async def log_with_times() -> Any:
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(created)s %(taskName)s %(message)s", defaults={"taskName": ""})
    )
    logger = logging.Logger("a logger of its own")
    logger.addHandler(handler)

    async def note(number: int) -> None:
        await asyncio.sleep(number / 100)
        logger.warning("note %s of %s", number, asyncio.current_task().get_name())  # type: ignore[union-attr]

    await asyncio.gather(*map(note, range(5)))
    return text.getvalue()


@program
async def functions_in_threads() -> Any:
    log = []

    def work(number: int) -> int:
        time.sleep(number / 10)
        log.append(number)
        return number

    loop = asyncio.get_running_loop()
    calls = [asyncio.to_thread(work, number) for number in (3, 1, 2)]
    more = [loop.run_in_executor(None, work, number) for number in (6, 5)]
    return [await asyncio.gather(*calls, *more), log, time.monotonic()]


@program
async def errors_that_are_reported() -> Any:
    log: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: log.append(context["message"]))

    async def fail(number: int) -> None:
        await asyncio.sleep(0)
        raise ValueError(number)

    for number in range(4):
        asyncio.create_task(fail(number))  # noqa: RUF006  (its error is never retrieved)
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(1)
    return list(log)  # a copy: later, the garbage collector finds tasks, and their errors are reported


@program
async def files() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        for name in "cab":
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(await asyncio.to_thread(str.upper, name))
        await asyncio.sleep(0)
        return [open(f"{folder}/{name}", encoding="utf-8").read() for name in "abc"]


# --- every fifth vector: tasks that await each other, and compete for locks, permits, items and wake-ups --------


async def played(vector: Vector) -> Any:
    run = LoopProgram(vector.program, asyncio)
    await run.body("main")
    return run.outcome()


#: Errors that would end the simulated run.
LEAVE: Final = frozenset({"KeyboardInterrupt", "SystemExit"})
VECTORS: Final = {
    each.name: partial(played, each)
    for each in CATALOGUE[::5]
    if each.since <= sys.version_info[:2] and LEAVE.isdisjoint(strings(each.program))
}
assert not VECTORS.keys() & program.keys(), "two programs have one name"
program.update(VECTORS)
