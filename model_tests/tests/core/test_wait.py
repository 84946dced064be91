"""wait and as_completed, beyond the vectors: callbacks left behind, steps out of order."""

from __future__ import annotations

import pytest

import impl
from impl import as_completed, shield, sleep, wait

from .conftest import after, cancelled, now


async def test_no_callback_is_left_behind() -> None:
    """WAIT-5, ASDONE-2, SHIELD-2: by a wait or a shield that is cancelled, or by steps after their time is over."""
    future: impl.Future[None] = impl.Future()

    async def waits() -> None:
        await wait([future])

    async def shields() -> None:
        await shield(future)

    for body in (waits, shields):
        waiter = impl.create_task(body())
        await sleep(1)
        waiter.cancel()
        await cancelled(waiter)
        await sleep(0)
        assert future._waiters() == []
    (step,) = as_completed([future], timeout=1)
    with pytest.raises(TimeoutError):
        await step
    assert future._waiters() == []


async def test_all_steps_may_wait_side_by_side() -> None:
    steps = list(as_completed([after(2, "b"), after(1, "a")]))
    assert await impl.gather(*steps) == ["a", "b"]


async def test_a_result_that_came_in_time_is_given_after_the_timeout() -> None:
    """ASDONE-2; a future that is not done is left alone."""
    late = impl.create_task(after(5, "late"))
    first, *others = as_completed([late, after(1, "a"), after(4, "b")], timeout=3)
    await sleep(3.5)
    assert await first == "a"
    for other in others:
        with pytest.raises(TimeoutError):
            await other
    assert (await late, now()) == ("late", 5)


@pytest.mark.parametrize("woken", [True, False])
async def test_a_cancelled_step_costs_no_result(woken: bool) -> None:
    """ASDONE-3, gh-158004, of steps that are not asynchronous; also when the step has been woken already."""
    first, second = (impl.get_running_loop().create_future() for _ in "ab")
    steps = as_completed([first, second])

    async def step() -> object:
        return await next(steps)

    victim = impl.create_task(step())
    await sleep(0)
    if woken:
        first.set_result("a")
        await sleep(0)
    victim.cancel()
    await cancelled(victim)
    if not woken:
        first.set_result("a")
    second.set_result("b")
    assert (await step(), await step()) == ("a", "b")
    assert await anext(steps, "over") == "over"
    assert next(steps, None) is None
