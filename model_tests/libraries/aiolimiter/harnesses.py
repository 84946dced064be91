"""Harnesses of aiolimiter."""

import asyncio

from aiolimiter import AsyncLimiter

from ..harness import harness_of

RATE, PERIOD = 2, 1.0
CALLERS = 5


async def use(limiter: AsyncLimiter, let_in: list[float]) -> None:
    async with limiter:
        let_in.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.01)


@harness_of("aiolimiter", cancel="use")
async def aiolimiter_rate() -> int:
    """No more than the rate is let in, and cancelling one caller does not delay the others."""
    limiter = AsyncLimiter(RATE, PERIOD)
    let_in: list[float] = []
    callers = [asyncio.create_task(use(limiter, let_in)) for _ in range(CALLERS)]
    await asyncio.gather(*callers, return_exceptions=True)
    async with asyncio.timeout(10):
        await use(limiter, let_in)
    for first, after in zip(let_in, let_in[2 * RATE :], strict=False):
        # A leaky bucket lets in a burst of RATE, and then RATE in each period.
        assert after - first >= PERIOD - 1e-9, f"more than {2 * RATE} in a period: {let_in}"
    return len(let_in)
