"""Harnesses of asyncio_throttle."""

import asyncio

from asyncio_throttle import Throttler

from ..harness import harness_of

RATE, PERIOD = 2, 1.0


async def use(throttler: Throttler, let_in: list[float]) -> None:
    async with throttler:
        let_in.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.01)


@harness_of("asyncio-throttle", cancel="use")
async def asyncio_throttle_rate() -> int:
    """No more than the rate is let in, and cancelling one caller does not delay the others."""
    throttler = Throttler(RATE, PERIOD, retry_interval=0.1)
    let_in: list[float] = []
    callers = [asyncio.create_task(use(throttler, let_in)) for _ in range(5)]
    await asyncio.gather(*callers, return_exceptions=True)
    start = asyncio.get_running_loop().time()
    await use(throttler, let_in)
    assert let_in[-1] - start < PERIOD + 0.3, "a caller waits for a place that is free"
    for first, after in zip(let_in, let_in[RATE:], strict=False):
        assert after - first >= PERIOD - 1e-9, f"more than {RATE} in a period: {let_in}"
    return len(let_in)
