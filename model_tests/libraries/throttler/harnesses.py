"""Harnesses of throttler."""

import asyncio

from throttler import ThrottlerSimultaneous

from ..harness import harness_of

PLACES = 2


@harness_of("throttler", cancel="use")
async def throttler_places() -> int:
    """No more than the number are let in at once, and a caller that is cancelled keeps no place."""
    # Not its Throttler, which calls sleep(0) until the clock has moved on: virtual time does not pass then.
    places = ThrottlerSimultaneous(PLACES)
    inside, most = 0, 0

    async def use() -> None:
        nonlocal inside, most
        async with places:
            inside += 1
            most = max(most, inside)
            try:
                await asyncio.sleep(0.01)
            finally:
                inside -= 1

    callers = [asyncio.create_task(use()) for _ in range(5)]
    await asyncio.gather(*callers, return_exceptions=True)

    async def later() -> None:
        await use()

    await asyncio.gather(*[later() for _ in range(PLACES)])
    assert most == PLACES, f"{most} at once"
    return sum(caller.cancelled() for caller in callers)
