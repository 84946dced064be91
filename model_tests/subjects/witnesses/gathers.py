"""Witnesses of the wrong gather()s."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, outcome, settle, shows
from ..wrong import gathers as wrong

# Any: what is gathered.


async def late(value: Any, iterations: int = 3) -> Any:
    """Return the value, or raise it if it is an error, after some iterations of the loop."""
    await settle(iterations)
    if isinstance(value, BaseException):
        raise value
    return value


@shows(["ValueError", "pending", "result"], wrong.gather_fails_late)
async def one_fails(gather: Thing) -> Any:
    slow = asyncio.ensure_future(late("result", 30))
    gathered = gather(late(ValueError(), 1), slow)
    await settle()
    seen = [outcome(gathered), outcome(slow)]
    await settle()
    return [*seen, outcome(slow)]


@shows(["ValueError", 1], wrong.gather_drops_exceptions)
async def exceptions_as_results(gather: Thing) -> Any:
    results = await gather(late(ValueError()), late(1), return_exceptions=True)
    return [type(result).__name__ if isinstance(result, Exception) else result for result in results]


@shows(["both started"], wrong.gather_one_by_one)
async def concurrency(gather: Thing) -> Any:
    started = asyncio.Event()
    log: list[str] = []

    async def first() -> None:
        await started.wait()
        log.append("both started")

    async def second() -> None:
        started.set()

    gathered = asyncio.ensure_future(gather(first(), second()))
    await settle()
    gathered.cancel()
    return log


@shows([1, 1], wrong.gather_each_once)
async def one_future_twice(gather: Thing) -> Any:
    future = asyncio.ensure_future(late(1))
    return await gather(future, future)


@shows(["CancelledError", 1], wrong.gather_is_cancelled_by_a_child)
async def a_cancelled_child(gather: Thing) -> Any:
    child = asyncio.ensure_future(asyncio.sleep(1))
    gathered = gather(child, late(1), return_exceptions=True)
    await settle(1)
    child.cancel()
    results = await gathered
    return [type(result).__name__ if isinstance(result, BaseException) else result for result in results]


@shows("cancelled", wrong.gather_survives_a_cancel)
async def cancelled_with_return_exceptions(gather: Thing) -> Any:
    async def main() -> Any:
        return await gather(late(1, 10), return_exceptions=True)

    task = asyncio.ensure_future(main())
    await settle(3)
    task.cancel()
    await settle()
    return outcome(task)
