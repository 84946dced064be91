"""Harnesses of purgatory."""

import asyncio

from purgatory import AsyncCircuitBreakerFactory
from purgatory.domain.model import OpenedState

from ..harness import harness_of


@harness_of("purgatory", cancel="call")
async def purgatory_breaker() -> list[str]:
    """A breaker opens after as many failures, lets calls in after its time, and closes after a success."""
    factory = AsyncCircuitBreakerFactory(default_threshold=2, default_ttl=1)
    broken = True

    async def call() -> str:
        try:
            async with await factory.get_breaker("server"):
                await asyncio.sleep(0.01)
                if broken:
                    raise ConnectionError
                return "answered"
        except ConnectionError:
            return "failed"
        except OpenedState:
            return "refused"

    for _ in range(2):
        await asyncio.wait([asyncio.create_task(call())])
    broken = False
    tasks = [asyncio.create_task(call()) for _ in range(2)]
    await asyncio.wait(tasks)
    await asyncio.sleep(2)
    await asyncio.wait([asyncio.create_task(call())])
    await asyncio.sleep(2)
    assert await call() == "answered", "the breaker does not close"
    assert await call() == "answered", "the breaker opens again"
    return ["cancelled" if task.cancelled() else task.result() for task in tasks]
