"""Harnesses of aiobreaker."""

import asyncio
from datetime import timedelta

import aiobreaker.circuitbreaker
import aiobreaker.state
from aiobreaker import CircuitBreaker, CircuitBreakerError

from ..fakes.determinism import follow
from ..harness import harness_of

follow(aiobreaker.circuitbreaker, aiobreaker.state)


@harness_of("aiobreaker", cancel="call")
async def aiobreaker_trial() -> list[str]:
    """It opens after as many failures, refuses until its time is over, and closes after a success."""
    breaker = CircuitBreaker(fail_max=2, timeout_duration=timedelta(seconds=1))
    broken = True

    async def ask() -> str:
        await asyncio.sleep(0.01)
        if broken:
            raise ConnectionError
        return "answered"

    async def call() -> str:
        try:
            answer: str = await breaker.call_async(ask)
        except ConnectionError:
            return "failed"
        except CircuitBreakerError:
            return "refused"
        return answer

    for _ in range(2):
        await asyncio.wait([asyncio.create_task(call())])
    start = asyncio.get_running_loop().time()
    opened = breaker.fail_counter >= 2
    refused = await call()
    assert not opened or start > 0.5 or refused == "refused", f"a call is {refused} while the breaker is open"
    broken = False
    await asyncio.sleep(2)
    tasks = [asyncio.create_task(call()) for _ in range(2)]
    await asyncio.wait(tasks)
    await asyncio.sleep(2)
    for _ in range(2):
        assert await call() == "answered", "the breaker does not close"
    return ["cancelled" if task.cancelled() else task.result() for task in tasks]
