"""Harnesses of pyrate_limiter."""

import asyncio

from pyrate_limiter import InMemoryBucket, Limiter, Rate, SingleBucketFactory

from ..harness import harness_of

RATE, PERIOD = 2, 1000


@harness_of(
    "pyrate-limiter",
    cancel="use,ask",
    # Not "all": wait_for() of CPython 3.11 does not retrieve the exception of a task that it cancels.
    leaks="tasks",
    finds={"AssertionError: a caller waits longer than it wants to": "pyrate_limiter_wait"},
    allowed={
        "Leaked: the program has left behind: task *": "wait_for() of CPython 3.11 leaves its task if cancelled twice",
    },
)
async def pyrate_limiter_waits() -> int:
    """No more than the rate is let in, and a caller that does not want to wait is answered at once."""
    # No leaks: the thread that removes old items does not run on the simulated loop.
    limiter = Limiter(SingleBucketFactory(InMemoryBucket([Rate(RATE, PERIOD)]), schedule_leak=False))
    now = asyncio.get_running_loop().time
    let_in: list[float] = []
    longest = 0.0

    async def use() -> None:
        assert await limiter.try_acquire_async("key")
        let_in.append(now())

    async def ask(late: float, timeout: float) -> None:
        nonlocal longest
        await asyncio.sleep(late)
        start = now()
        if await limiter.try_acquire_async("key", blocking=timeout > 0, timeout=timeout if timeout > 0 else -1):
            let_in.append(now())
        longest = max(longest, now() - start - max(timeout, 0))

    tasks = [asyncio.create_task(use()) for _ in range(3)]
    tasks += [asyncio.create_task(ask(0.1, 0.2)), asyncio.create_task(ask(0.4, 0))]
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    let_in.sort()
    for first, after in zip(let_in, let_in[RATE:], strict=False):
        assert after - first >= PERIOD / 1000 - 1e-3, f"more than {RATE} in a period: {let_in}"
    await use()
    await asyncio.sleep(PERIOD / 1000)  # wait_for() of CPython 3.11 may leave its task behind; it must end soon
    assert longest < 0.1, "a caller waits longer than it wants to"
    return len(let_in)
