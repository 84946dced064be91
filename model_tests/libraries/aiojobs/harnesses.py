"""Harnesses of aiojobs."""

import asyncio
from typing import Any

from aiojobs import Job, Scheduler

from ..harness import harness_of


async def work() -> None:
    await asyncio.sleep(0.1)
    raise ValueError


async def handle_error(job: Job[None], errors: list[Any]) -> None:
    try:
        await job.wait()
    except ValueError as error:
        errors.append(error)
    except asyncio.CancelledError:
        if not job.active:
            errors.append("it was about to get the error")
        raise


@harness_of(
    "aiojobs",
    cancel="handle_error",
    # asyncio reports the error that aiojobs does not.
    leaks="tasks",
    finds={"AssertionError: a job has failed, and its error was reported nowhere": "aiojobs_error"},
)
async def aiojobs_errors() -> int:
    """The error of a job goes to the task that waits for it, or to the exception handler of the scheduler."""
    errors: list[Any] = []
    async with Scheduler(exception_handler=lambda _, context: errors.append(context)) as scheduler:
        job = await scheduler.spawn(work())
        handler = asyncio.create_task(handle_error(job, errors))
        await asyncio.wait([handler])
        await asyncio.sleep(1)
    assert errors, "a job has failed, and its error was reported nowhere"
    return len(errors)


HANDLERS = 4


class Printer:
    """A device for one job at a time."""

    def __init__(self) -> None:
        self.busy = False

    async def print(self, number: int) -> int:
        assert not self.busy, "two jobs print at once"
        self.busy = True
        try:
            await asyncio.sleep(0.01)
        finally:
            self.busy = False
        return number


async def handle(scheduler: Scheduler, printer: Printer, number: int) -> int:
    job = await scheduler.spawn(printer.print(number))
    try:
        result: int = await job.wait()
    finally:
        await job.close()
    return result


async def serve(pending_limit: int) -> list[int]:
    printer = Printer()
    async with Scheduler(limit=1, pending_limit=pending_limit) as scheduler:
        handlers = [asyncio.create_task(handle(scheduler, printer, number)) for number in range(HANDLERS)]
        async with asyncio.timeout(10):
            results = await asyncio.gather(*handlers, return_exceptions=True)
        for number, result in enumerate(results):
            assert result == number or isinstance(result, asyncio.CancelledError | TimeoutError), (
                f"{number}: {result!r}"
            )
        for handler in handlers:
            assert handler.cancelled() or handler.cancelling() == 0, "a handler was cancelled and went on"
        assert await handle(scheduler, printer, HANDLERS) == HANDLERS
    return [result for result in results if isinstance(result, int)]


@harness_of(
    "aiojobs",
    cancel="handle",
    finds={
        "TimeoutError": "aiojobs_stuck",
        "*two jobs print at once*": "aiojobs_limit",
        "AssertionError: a handler was cancelled and went on": "aiojobs_close",
    },
)
async def aiojobs_handlers() -> list[list[int]]:
    """No more than the limit run at once, and each job starts and ends though others are closed."""
    try:
        # A bound of the queue makes spawn() wait, which is another way to start.
        return [await serve(pending_limit) for pending_limit in (2, 1)]
    finally:
        await asyncio.sleep(1)  # wait() leaves a task to its shield, which ends with the job


class RunningJobs:
    """How many jobs run."""

    def __init__(self) -> None:
        self.now = 0

    async def job(self) -> str:
        self.now += 1
        try:
            await asyncio.sleep(0.02)
        finally:
            await asyncio.sleep(0)
            self.now -= 1
        return "done"


async def wait(job: Job) -> str:
    result: str = await job.wait()
    return result


async def own(running: RunningJobs, waiters: list[asyncio.Task[str]]) -> None:
    # One job: the scheduler keeps its jobs in a set, and the run does not choose the order of a set.
    async with Scheduler() as scheduler:
        job = await scheduler.spawn(running.job())
        waiters.extend(asyncio.create_task(wait(job)) for _ in range(2))
        await asyncio.sleep(0.01)


async def hold() -> int:
    running = RunningJobs()
    waiters: list[asyncio.Task[str]] = []
    owner = asyncio.create_task(own(running, waiters))
    await asyncio.wait([owner])
    assert running.now == 0, "a job runs after its scheduler was left"
    results = await asyncio.gather(*waiters, return_exceptions=True)
    assert owner.cancelled() or "done" in results or all(waiter.cancelled() for waiter in waiters), f"{results}"
    return results.count("done")


@harness_of(
    "aiojobs",
    cancel="own,wait",
    finds={
        "AssertionError: a job runs after its scheduler was left": "aiojobs_exit",
        # The task of the scheduler that collects errors.
        "Leaked: the program has left behind: task Task-3": "aiojobs_exit",
    },
)
async def aiojobs_shutdown() -> int:
    """Once the block of a scheduler was left, in whichever way, no job runs, and a waiter stops no job."""
    try:
        return await hold()
    finally:
        await asyncio.sleep(1)  # wait() leaves a task to its shield, which ends with the job


LIMIT = 2
JOBS = 4


async def meet(barrier: asyncio.Barrier, number: int) -> int:
    # Two jobs need each other: they end only if both places are used.
    async with barrier:
        return number


async def spawn_and_wait(scheduler: Scheduler, barrier: asyncio.Barrier, number: int) -> int:
    job = await scheduler.spawn(meet(barrier, number))
    result: int = await job.wait()
    return result


async def wait_some_time(scheduler: Scheduler, ended: list[str]) -> None:
    async def work() -> None:
        try:
            await asyncio.sleep(0.02)
            ended.append("done")
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    job = await scheduler.spawn(work())
    await job.wait(timeout=0.01)


@harness_of(
    "aiojobs",
    cancel="wait_some_time",
    # The TimeoutError of a waiter that has gone is never retrieved.
    leaks="tasks",
    slow=True,
    finds={
        "DeadlockError*": "aiojobs_slot",
        "AssertionError: a job was cancelled, and its waiter had gone": "aiojobs_wait",
    },
)
async def aiojobs_waiters() -> list[int]:
    """A pending job starts when a place is free, and a job goes on when its waiter is cancelled."""
    barrier = asyncio.Barrier(LIMIT)
    ended: list[str] = []
    async with Scheduler(limit=LIMIT, pending_limit=1) as scheduler:
        waiter = asyncio.create_task(wait_some_time(scheduler, ended))
        await asyncio.wait([waiter])
        while len(scheduler):
            await asyncio.sleep(0.01)
        assert not waiter.cancelled() or "cancelled" not in ended, "a job was cancelled, and its waiter had gone"
        assert waiter.cancelled() or isinstance(waiter.exception(), TimeoutError | type(None)), (
            f"{waiter.exception()!r}"
        )
        waiters = [asyncio.create_task(spawn_and_wait(scheduler, barrier, number)) for number in range(JOBS)]
        results = await asyncio.gather(*waiters, return_exceptions=True)
    return [result for result in results if isinstance(result, int)]
