"""Harnesses of async_timeout."""

import asyncio

from async_timeout import timeout

from ..harness import harness_of


async def use(seconds: float, shift: float | None) -> str:
    loop = asyncio.get_running_loop()
    start = loop.time()
    try:
        async with timeout(seconds) as outer:
            async with timeout(0.015) as inner:
                if shift is None:
                    inner.reject()
                else:
                    inner.shift(shift)
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.01)
    except TimeoutError:
        assert outer.expired or inner.expired, "a time-out, and no timeout has expired"
        return f"timed out {outer.expired} {inner.expired}"
    assert not outer.expired, "the timeout has expired, and its block went on"
    assert loop.time() - start >= 0.03
    return "in time"


@harness_of("async-timeout", cancel="use")
async def async_timeout_moved() -> list[str]:
    """A timeout that was moved or rejected ends its own block, and no other cancel is a time-out."""
    wanted: tuple[tuple[float, float | None], ...] = ((0.01, None), (1, 0.01), (1, -0.01), (1, -1), (0, None))
    users = [asyncio.create_task(use(seconds, shift)) for seconds, shift in wanted]
    await asyncio.wait(users)
    for user in users:
        assert user.cancelled() or user.cancelling() == 0, "a user was cancelled and went on"
    return ["cancelled" if user.cancelled() else user.result() for user in users]
