"""Harnesses of aiostream."""

import asyncio
from collections.abc import AsyncIterator

from aiostream import stream

from ..harness import harness_of

LIMIT = 2


class AliveSources:
    """How many calls and sources are alive."""

    def __init__(self) -> None:
        self.calls = self.most = self.sources = 0

    async def count(self, items: int, seconds: float) -> AsyncIterator[int]:
        self.sources += 1
        try:
            for item in range(items):
                await asyncio.sleep(seconds)
                yield item
        finally:
            try:
                await asyncio.sleep(0.001)  # it takes some time to end
            finally:
                self.sources -= 1

    async def double(self, item: int, *_: int) -> int:
        self.calls += 1
        self.most = max(self.most, self.calls)
        try:
            await asyncio.sleep(0.002)
        finally:
            self.calls -= 1
        return 2 * item


async def everything(running: AliveSources) -> list[int]:
    merged = stream.merge(running.count(2, 0.001), running.count(1, 0.002))
    doubled = stream.map(merged, running.double, ordered=False, task_limit=LIMIT)
    items: list[int] = await stream.list(doubled)
    return sorted(items)


async def first(running: AliveSources) -> int:
    pairs = stream.zip(running.count(2, 0.001), stream.merge(running.count(2, 0.002), running.count(2, 0.01)))
    found = -1
    async with pairs.stream() as streamer:
        async for pair in streamer:
            found = sum(pair)
            break
    await asyncio.sleep(0.001)
    return found


@harness_of(
    "aiostream",
    cancel="everything,first",
    finds={"AssertionError: a user was cancelled and went on": "aiostream_close"},
)
async def aiostream_merge() -> list[object]:
    """Merge, map and zip give each item, keep the limit, and leave nothing running; a cancel ends the user."""
    running = AliveSources()
    users: list[asyncio.Task[object]] = [
        asyncio.create_task(everything(running)),
        asyncio.create_task(first(running)),
    ]
    await asyncio.wait(users)
    assert running.most <= LIMIT, f"{running.most} calls at once"
    assert (running.calls, running.sources) == (0, 0), f"{running.calls} calls, {running.sources} sources are alive"
    for user, right in zip(users, ([0, 0, 2], 0), strict=True):
        assert user.cancelled() or user.result() == right, f"{user.result()}"
        assert user.cancelled() or user.cancelling() == 0, "a user was cancelled and went on"
    return [None if user.cancelled() else user.result() for user in users]
