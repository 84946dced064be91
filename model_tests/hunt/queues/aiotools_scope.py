"""aiotools: a scope ends its tasks, raises a cancel of its owner once, and leaves an enclosing timeout as it was."""

from __future__ import annotations

import asyncio

from aiotools import ShieldScope, TaskScope, move_on_after, race

from ..harness import Harness


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


async def main() -> list[bool]:
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


HARNESS = Harness(
    "aiotools",
    main,
    cancel="first,hold,use,save",
    finds={
        "AssertionError: a user was cancelled and went on": "aiotools_scope",
        "AssertionError: one cancel has cut short the clean-up after it": "aiotools_shield",
        "AssertionError: cancelled, and nothing cancels it": "aiotools_moved",
        # Both timeouts have expired in one turn.
        "AssertionError: in time": "aiotools_moved",
    },
)
