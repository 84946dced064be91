"""Programs of several tests."""

from __future__ import annotations

import asyncio

from impl.explore import sometimes


async def never_third() -> None:
    """Two tasks, a probe that holds in some schedules, and one that holds in none."""
    order: list[int] = []

    async def note(number: int) -> None:
        order.append(number)

    await asyncio.gather(note(1), note(2))
    sometimes(order == [2, 1], "the second is first")
    sometimes(len(order) == 3, "there is a third")
