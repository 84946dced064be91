"""Programs of several tests, and the failure of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from impl.explore import explore, sometimes
from impl.explore.found import Failure


def failure_of(program: Callable[[], Coroutine[Any, Any, Any]], **options: Any) -> Failure:
    """Return the failure that a search finds.  Any: results of programs, and the options of `explore`."""
    failure = explore(program, **options).failure
    assert failure is not None
    return failure


async def never_third() -> None:
    """Two tasks, a probe that holds in some schedules, and one that holds in none."""
    order: list[int] = []

    async def note(number: int) -> None:
        order.append(number)

    await asyncio.gather(note(1), note(2))
    sometimes(order == [2, 1], "the second is first")
    sometimes(len(order) == 3, "there is a third")
