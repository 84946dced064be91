"""Harnesses of quattro."""

import asyncio

from quattro import fail_after, move_on_after

from ..harness import harness_of


async def get(queue: asyncio.Queue[int], seconds: float, got: list[int]) -> str:
    with move_on_after(seconds) as scope:
        got.append(await queue.get())
    await asyncio.sleep(0.01)
    return "given up" if scope.cancelled_caught else "got"


async def clean_up(steps: list[str]) -> None:
    try:
        await asyncio.sleep(0.03)
    except asyncio.CancelledError:
        steps.append("cancelled")
        try:
            with fail_after(0.01):
                await asyncio.sleep(0.1)
        except TimeoutError:
            steps.append("timed out")
        raise


@harness_of(
    "quattro",
    cancel="get,clean_up",
    finds={
        "AssertionError: a scope cancelled what comes after it": "quattro_scope",
        "AssertionError: no time-out in the clean-up of a cancelled task": "quattro_cleanup",
    },
)
async def quattro_scopes() -> list[str]:
    """A scope ends its own block and nothing else, and turns its own cancel, and no other, into a time-out."""
    queue: asyncio.Queue[int] = asyncio.Queue()
    got: list[int] = []
    steps: list[str] = []
    users = [asyncio.create_task(get(queue, seconds, got)) for seconds in (0.005, 0.015, 0.025)]
    cleaner = asyncio.create_task(clean_up(steps))
    await asyncio.sleep(0.01)
    queue.put_nowait(0)
    await asyncio.wait([*users, cleaner])
    assert len(got) + queue.qsize() == 1, f"{got} of 1, {queue.qsize()} left"
    if cleaner.cancelling() == 1 and steps:  # a second cancel would end the clean-up
        assert steps == ["cancelled", "timed out"], "no time-out in the clean-up of a cancelled task"
    queue.put_nowait(1)
    try:
        # The deadline has passed, but the block has nothing to wait for.
        steps.append(await get(queue, 0, got))
    except asyncio.CancelledError:
        raise AssertionError("a scope cancelled what comes after it") from None
    return [("cancelled" if user.cancelled() else user.result()) for user in users] + steps
