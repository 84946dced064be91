"""Harnesses of asyncstdlib."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncstdlib

from ..harness import harness_of

ITEMS = 3


class SlowCounter:
    """Counts slowly; a cancel loses nothing of it, other than of an async generator."""

    def __init__(self) -> None:
        self.next = 0

    def __aiter__(self) -> SlowCounter:
        return self

    async def __anext__(self) -> int:
        await asyncio.sleep(0.001)
        if self.next == ITEMS:
            raise StopAsyncIteration
        self.next += 1
        return self.next - 1


class SlowPage:
    """A page with a property that takes some time."""

    def __init__(self) -> None:
        self.computed = 0

    @asyncstdlib.cached_property(asyncio.Lock)
    async def length(self) -> int:
        await asyncio.sleep(0.001)
        self.computed += 1
        return self.computed


async def read(peer: Any) -> list[int]:
    items: list[int] = await asyncstdlib.list(peer)
    return items


async def measure(page: SlowPage) -> int:
    length: int = await page.length
    return length


@harness_of("asyncstdlib", cancel="read,measure")
async def asyncstdlib_shared() -> list[object]:
    """A tee gives each peer every item, and a cached property its value, though another is cancelled."""
    page = SlowPage()
    async with asyncstdlib.tee(SlowCounter(), 3, lock=asyncio.Lock()) as peers:
        tasks = [asyncio.create_task(read(peer)) for peer in peers[:2]]
        measures = [asyncio.create_task(measure(page)) for _ in range(3)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            assert result == list(range(ITEMS)) or isinstance(result, asyncio.CancelledError), f"{result!r}"
        assert await read(peers[2]) == list(range(ITEMS)), "the last peer misses an item"
    lengths = await asyncio.gather(*measures, return_exceptions=True)
    assert await measure(page) == 1, f"it was computed {page.computed} times"
    for length in lengths:
        assert length == 1 or isinstance(length, asyncio.CancelledError), f"{length!r}"
    return [result for result in [*results, *lengths] if not isinstance(result, BaseException)]
