"""Witnesses of wrong/third/edges.py."""

from __future__ import annotations

import asyncio
import math
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows, state
from ...wrong.third import edges as wrong


def _future() -> Any:
    return asyncio.get_running_loop().create_future()


def _done(result: Any) -> Any:
    future = _future()
    future.set_result(result)
    return future


@shows([], wrong.as_completed_of_nothing_fails)
async def _complete_nothing(thing: Thing) -> Any:
    return [await ended(one) for one in thing([])]


@shows(["TimeoutError"], wrong.as_completed_takes_a_timeout_of_zero_for_none)
async def _complete_in_no_time(thing: Thing) -> Any:
    return [await ended(one) for one in thing([_future()], timeout=0)]


@shows("TypeError", wrong.wait_takes_one_future)
async def _wait_for_a_future_without_a_list(thing: Thing) -> Any:
    try:
        return [len(futures) for futures in await thing(_done(1))]
    except TypeError:
        return "TypeError"


@shows([2, 0], wrong.wait_exhausts_an_iterator)
async def _wait_for_what_an_iterator_yields(thing: Thing) -> Any:
    return [len(futures) for futures in await thing(map(_done, range(2)))]


@shows([1, 0], wrong.wait_counts_duplicates)
async def _wait_for_one_future_twice(thing: Thing) -> Any:
    future = _done(1)
    return [len(futures) for futures in await thing([future, future])]


@shows([1, 1], wrong.gather_runs_a_duplicate_coroutine_twice)
async def _gather_one_coroutine_twice(thing: Thing) -> Any:
    coroutine = asyncio.sleep(0, 1)
    return await ended(thing(coroutine, coroutine))


@shows("ValueError", wrong.gather_raises_at_the_call)
async def _gather_a_future_that_has_failed(thing: Thing) -> Any:
    failed = _future()
    failed.set_exception(ValueError())
    try:
        outer = thing(failed, _future())
    except ValueError:
        return "at the call"
    return await ended(outer)


@shows("pending", wrong.sleep_for_ever_fails)
async def _sleep_for_ever(thing: Thing) -> Any:
    task = asyncio.ensure_future(thing(math.inf))
    for _ in range(3):
        await settle(1)
    found = outcome(task)
    task.cancel()
    await ended(task)
    return found


@shows("TypeError", wrong.ensure_future_takes_any_value)
async def _ensure_the_future_of_a_number(thing: Thing) -> Any:
    try:
        return await state(thing(1))
    except TypeError:
        return "TypeError"


@shows("ValueError", wrong.ensure_future_takes_a_future_of_another_loop)
async def _ensure_a_future_in_another_loop(thing: Thing) -> Any:
    other = asyncio.new_event_loop()
    try:
        return outcome(thing(_done(1), loop=other))
    except ValueError:
        return "ValueError"
    finally:
        other.close()


@shows("TypeError", wrong.run_coroutine_threadsafe_takes_futures)
async def _submit_a_future(thing: Thing) -> Any:
    try:
        return await state(thing(_done(1), asyncio.get_running_loop()))
    except TypeError:
        return "TypeError"


@shows([None, 1], wrong.QueueThatTakesNoneForNoItem)
async def _get_none(thing: Thing) -> Any:
    queue = thing()
    queue.put_nowait(None)
    queue.put_nowait(1)
    return [await queue.get(), await queue.get()]


async def _notified(condition: Any, *n: int) -> int:
    """Return how many of two waiters wake up."""
    woken = 0

    async def wait() -> None:
        nonlocal woken
        async with condition:
            await condition.wait()
            woken += 1

    tasks = [asyncio.create_task(wait()) for _ in range(2)]
    await settle()
    async with condition:
        condition.notify(*n)
    await settle()
    found = woken
    for task in tasks:
        task.cancel()
    return found


@shows([1, 0, 2], wrong.ConditionThatTakesZeroForOne)
async def _notify_none(thing: Thing) -> Any:
    return [await _notified(thing(), *n) for n in ((), (0,), (2,))]


@shows("ValueError", wrong.BoundedSemaphoreOfZeroHasNoBound)
async def _release_above_zero(thing: Thing) -> Any:
    try:
        return thing(0).release()
    except ValueError:
        return "ValueError"


@shows(["", "0"], wrong.TaskThatReplacesAnEmptyName)
async def _name_a_task_with_nothing(thing: Thing) -> Any:
    tasks = [thing(asyncio.sleep(0), name=name) for name in ("", 0)]
    await settle()
    return [task.get_name() for task in tasks]


@shows("RuntimeError", wrong.TaskGroupThatIsEnteredTwice)
async def _enter_a_group_again(thing: Thing) -> Any:
    group = thing()

    async def enter() -> None:
        async with group:
            await asyncio.sleep(0)

    return await ended(enter()) or await ended(enter())
