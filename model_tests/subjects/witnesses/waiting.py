"""Witnesses of wrong tasks, and of wrong functions that wait."""

from __future__ import annotations

import asyncio
import contextvars
import sys
from typing import Any

from ..witness import Thing, ended, outcome, settle, shows, state
from ..wrong import cancels, contexts, messages, timeouts, waits
from ..wrong.fourth import groups as fourth_groups
from ..wrong.fourth import waits as fourth
from ..wrong.third import contexts as third_contexts
from ..wrong.third import edges, futures
from ..wrong.third import waits as third

# Any: what is waited for, and its result.

variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="default")


def future() -> asyncio.Future[Any]:
    return asyncio.get_running_loop().create_future()


async def read() -> str:
    """Return the variable."""
    return variable.get()


async def write() -> None:
    """Set the variable."""
    variable.set("by the task")


# --- tasks ---------------------------------------------------------------------------------------------------


@shows(("cancelled", "cancelled"), cancels.SparesTheInner)
async def cancel_goes_to_what_is_awaited(task_class: Thing) -> Any:
    inner = asyncio.ensure_future(asyncio.sleep(10))

    async def outer() -> None:
        await inner

    task = task_class(outer())
    await settle()
    task.cancel()
    return await state(task), await state(inner)


@shows(["by the maker", "by the maker"], contexts.SharesTheContext)
async def a_copy_for_a_task(task_class: Thing) -> Any:
    async def maker() -> Any:
        variable.set("by the maker")
        task = task_class(read())
        seen = [await task]
        await task_class(write())
        return [*seen, variable.get()]

    return await task_class(maker())


if sys.version_info >= (3, 12):
    from ..wrong.third import eager

    @shows("cancelled", eager.TaskThatForgetsWhatItAwaitsFirst)
    async def cancel_after_the_first_step(task_class: Thing) -> Any:
        task = task_class(asyncio.sleep(10), loop=asyncio.get_running_loop(), eager_start=True)
        task.cancel()
        return await state(task)


async def message(awaitable: Any) -> Any:
    """Await, and return the arguments of the CancelledError."""
    try:
        await awaitable
    except asyncio.CancelledError as error:
        return error.args


@shows(("stop",), messages.LockLosesTheMessage, messages.QueueLosesTheMessage)
async def message_of_a_cancel(thing_class: Thing) -> Any:
    thing = thing_class()
    if hasattr(thing, "acquire"):
        await thing.acquire()
    task = asyncio.ensure_future(message(thing.get() if hasattr(thing, "get") else thing.acquire()))
    await settle()
    task.cancel("stop")
    return await state(task)


# --- functions -----------------------------------------------------------------------------------------------


@shows(
    ["other", "slept"],
    third.sleep_does_not_suspend_for_a_negative_delay,
)
async def sleep_for_a_negative_time(sleep: Thing) -> Any:
    order: list[str] = []
    asyncio.get_running_loop().call_soon(order.append, "other")
    order.append(await sleep(-1, "slept"))
    await settle()
    return order


@shows((2, 0), waits.wait_returns_the_first_only)
async def two_at_once(wait: Thing) -> Any:
    both = [future(), future()]
    for each in both:
        each.set_result(None)
    done, pending = await wait(both, return_when=asyncio.FIRST_COMPLETED)
    return len(done), len(pending)


@shows((1, 1), fourth.wait_overlooks_an_earlier_error)
async def wait_for_one_that_has_failed(wait: Thing) -> Any:
    failed = future()
    failed.set_exception(ValueError())
    done, pending = await wait([failed, future()], return_when=asyncio.FIRST_EXCEPTION)
    return len(done), len(pending)


@shows([[1, 2], []], third.wait_takes_for_done_what_called_back)
async def finish_another_just_before_wait_returns(wait: Thing) -> Any:
    first, second = future(), future()
    waiter = asyncio.create_task(wait([first, second], return_when=asyncio.FIRST_COMPLETED))
    await settle()
    first.add_done_callback(lambda _: second.set_result(2))
    first.set_result(1)
    done, pending = await waiter
    return [sorted(outcome(each) for each in done), [each.done() for each in pending]]


@shows(("cancelled", "cancelled"), timeouts.wait_for_spares_the_inner)
async def a_cancelled_wait(wait_for: Thing) -> Any:
    inner = asyncio.ensure_future(asyncio.sleep(10))
    waiting = asyncio.ensure_future(wait_for(inner, 5))
    await settle()
    waiting.cancel()
    return await state(waiting), outcome(inner)


@shows(
    ["TimeoutError"],
    edges.as_completed_takes_a_timeout_of_zero_for_none,
)
async def complete_within_no_time(as_completed: Thing) -> Any:
    return [await ended(each) for each in as_completed([future()], timeout=0)]


@shows(["a", "TimeoutError"], fourth_groups.as_completed_refuses_what_was_in_time)
async def come_after_the_deadline(as_completed: Thing) -> Any:
    results: list[Any] = []
    for each in as_completed([asyncio.sleep(1, "a"), asyncio.sleep(100, "b")], timeout=10):
        await asyncio.sleep(0 if results else 20)
        results.append(await ended(each))
    return results


@shows("ValueError", edges.gather_raises_at_the_call)
async def gather_a_future_that_has_failed(gather: Thing) -> Any:
    failed = future()
    failed.set_exception(ValueError())
    try:
        outer = gather(failed, future())
    except ValueError:
        return "at the call"
    return await ended(outer)


@shows([None, "default"], third_contexts.gather_has_one_context)
async def set_a_variable_beside_another_coroutine(gather: Thing) -> Any:
    return await gather(write(), read())


@shows(True, futures.wrap_future_wraps_any_future)
async def wrap_a_future_of_asyncio(wrap_future: Thing) -> Any:
    mine = future()
    return wrap_future(mine) is mine
