"""Harnesses of aiotools."""

import asyncio
from types import TracebackType

from aiotools import (
    PersistentTaskGroup,
    ShieldScope,
    Supervisor,
    TaskScope,
    cancel_and_wait,
    move_on_after,
    race,
)

from ..harness import harness_of

CALLERS = 2


async def end_slowly() -> None:
    try:
        await asyncio.sleep(1)
    finally:
        await asyncio.sleep(0.01)


async def stop(task: asyncio.Task[None]) -> str:
    await cancel_and_wait(task)
    await asyncio.sleep(0.01)
    return "stopped"


@harness_of(
    "aiotools",
    cancel="stop",
    finds={
        "AssertionError: a caller ended with a cancel that is not its own": "aiotools_wait",
        "AssertionError: a caller was cancelled and went on": "aiotools_wait",
    },
)
async def aiotools_cancel() -> list[str]:
    """cancel_and_wait() ends the task for each caller, and raises only in a caller that was cancelled."""
    task = asyncio.create_task(end_slowly())
    await asyncio.sleep(0.01)
    callers = [asyncio.create_task(stop(task)) for _ in range(CALLERS)]
    await asyncio.wait(callers)
    for caller in callers:
        assert caller.cancelled() or caller.result() == "stopped", f"{caller.result()}"
        assert caller.cancelled() >= (caller.cancelling() > 0), "a caller was cancelled and went on"
        assert caller.cancelled() <= (caller.cancelling() > 0), "a caller ended with a cancel that is not its own"
    assert task.done(), "the task goes on"
    return ["cancelled" if caller.cancelled() else caller.result() for caller in callers]


class BrokenTask(Exception):
    """The error of a task."""


async def work_or_fail(number: int) -> int:
    await asyncio.sleep(0.01 * number)
    if number == 1:
        raise BrokenTask
    return number


async def handle(group: PersistentTaskGroup, number: int) -> int | None:
    try:
        result: int = await group.create_task(work_or_fail(number))
    except BrokenTask:
        return None
    return result


async def supervise() -> list[int]:
    async with Supervisor() as supervisor:
        tasks = [supervisor.create_task(work_or_fail(number)) for number in range(3)]
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


@harness_of(
    "aiotools",
    cancel="handle,supervise,close",
    finds={
        "DeadlockError*": "aiotools_close",
        "AssertionError: a task that closes was cancelled and went on": "aiotools_scope",
        "AssertionError: the handler was called for [[]] and not*": "aiotools_handler",
        "Leaked: *unhandled exception in the exception handler*": "aiotools_handler",
    },
)
async def aiotools_persistent() -> int:
    """Groups that outlive errors run each task to its end, call the handler for each error, and shut down."""
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


async def work(number: int) -> int:
    try:
        await asyncio.sleep(0.01 * number)
    finally:
        await asyncio.sleep(0.001)  # it takes some time to end
    return number


async def first() -> int:
    number, _ = await race([work(2), work(1)])
    await asyncio.sleep(0.01)
    return number


async def hold() -> list[int]:
    async with TaskScope() as scope:
        tasks = [scope.create_task(work(number)) for number in range(2)]
    await asyncio.sleep(0.01)
    return [task.result() for task in tasks]


async def save(steps: list[str]) -> None:
    try:
        async with ShieldScope():
            await asyncio.sleep(0.01)
    except asyncio.CancelledError:
        steps.append("cancelled")
        await asyncio.sleep(0.01)
        steps.append("cleaned up")
        raise


async def use(seconds: float) -> str:
    try:
        async with asyncio.timeout(0.05):
            async with move_on_after(seconds):
                await asyncio.sleep(0.02)
            await asyncio.sleep(1)
    except TimeoutError:
        return "timed out"
    return "in time"


async def use_uncancelled() -> str:
    try:
        return await use(0.01)
    except asyncio.CancelledError:
        return "cancelled, and nothing cancels it"


@harness_of(
    "aiotools",
    cancel="first,hold,use,save",
    finds={
        "AssertionError: a user was cancelled and went on": "aiotools_scope",
        "AssertionError: one cancel has cut short the clean-up after it": "aiotools_shield",
        "AssertionError: cancelled, and nothing cancels it": "aiotools_moved",
        # Both timeouts have expired in one turn.
        "AssertionError: in time": "aiotools_moved",
    },
)
async def aiotools_scope() -> list[bool]:
    """A scope ends its tasks, raises a cancel of its owner once, and leaves an enclosing timeout as it was."""
    users: list[asyncio.Task[object]] = [
        asyncio.create_task(first()),
        asyncio.create_task(hold()),
        asyncio.create_task(use(0.03)),
    ]
    await asyncio.wait(users)
    # A late timer may make the second of the race the first.
    right: tuple[list[object], ...] = ([1, 2], [[0, 1]], ["timed out"])
    for user, results in zip(users, right, strict=True):
        assert user.cancelled() or user.result() in results, f"{user.result()}"
        assert user.cancelled() or user.cancelling() == 0, "a user was cancelled and went on"
    steps: list[str] = []
    saver = asyncio.create_task(save(steps))
    await asyncio.wait([saver])
    # A second cancel may end the clean-up.
    assert steps != ["cancelled"] or saver.cancelling() > 1, "one cancel has cut short the clean-up after it"
    ended = await use_uncancelled()
    assert ended == "timed out", ended
    return [user.cancelled() for user in users]
