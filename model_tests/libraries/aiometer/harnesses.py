"""Harnesses of aiometer."""

import asyncio
from functools import partial

import aiometer

from ..harness import harness_of


@harness_of(
    "aiometer",
    cancel="first,every",
    finds={"AssertionError: a call that is not needed is waited for": "aiometer_any"},
)
async def aiometer_any() -> list[object]:
    """run_any() returns when there is a result, run_all() returns all, and no more than the limit run at once."""
    running, most = 0, 0
    now = asyncio.get_running_loop().time

    async def fetch(seconds: float) -> float:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            await asyncio.sleep(seconds)
        finally:
            running -= 1
        return seconds

    async def first() -> float:
        calls = [partial(fetch, seconds) for seconds in (5, 0.1)]
        start = now()
        fastest: float = await aiometer.run_any(calls)
        assert now() - start < 1, "a call that is not needed is waited for"
        return fastest

    async def every() -> list[float]:
        calls = [partial(fetch, seconds) for seconds in (0.1, 0.2, 0.1)]
        results: list[float] = await aiometer.run_all(calls, max_at_once=2)
        return results

    alls = asyncio.create_task(every())
    await asyncio.wait([alls])
    assert alls.cancelled() or alls.result() == [0.1, 0.2, 0.1]
    assert most <= 2, f"{most} run at once"
    assert not running, "a call runs on"
    answer = await asyncio.gather(asyncio.create_task(first()), return_exceptions=True)
    if isinstance(answer[0], Exception):
        raise answer[0]
    assert not running, "a call runs on"
    return ["cancelled" if alls.cancelled() else "done", isinstance(answer[0], float)]
