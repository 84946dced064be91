"""Wrong gather()s: results, failures, and cancels."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from ._parts import gather as _gather


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_fails_late(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather() that raises the first exception only when all awaitables are done.

    Breaks asyncio-task, gather(): "If return_exceptions is False (default), the first raised exception is immediately
    propagated to the task that awaits on gather()."
    """

    async def collected() -> list[Any]:
        results: list[Any] = await _gather(*aws, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException) and not return_exceptions:
                raise result
        return results

    return asyncio.ensure_future(collected())


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_drops_exceptions(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather() with return_exceptions=True that leaves failures out of the list.

    Breaks asyncio-task, gather(): "If return_exceptions is True, exceptions are treated the same as successful results,
    and aggregated in the result list."
    """

    async def collected() -> list[Any]:
        results = await _gather(*aws, return_exceptions=return_exceptions)
        return [result for result in results if not isinstance(result, Exception)]

    return asyncio.ensure_future(collected())


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_one_by_one(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather() that awaits its arguments one after the other.

    Breaks asyncio-task, gather(): "Run awaitable objects in the aws sequence concurrently."
    """

    async def collected() -> list[Any]:
        results: list[Any] = []
        for aw in aws:
            try:
                results.append(await aw)
            except Exception as error:
                if not return_exceptions:
                    raise
                results.append(error)
        return results

    return asyncio.ensure_future(collected())


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_is_cancelled_by_a_child(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather() with return_exceptions=True that raises the CancelledError of a cancelled child.

    Breaks asyncio-task, gather(): "If any Task or Future from the aws sequence is cancelled, it is treated as if it
    raised CancelledError" - which return_exceptions puts into the list.
    """

    async def collected() -> list[Any]:
        results: list[Any] = await _gather(*aws, return_exceptions=return_exceptions)
        for result in results:
            if isinstance(result, asyncio.CancelledError):
                raise result
        return results

    return asyncio.ensure_future(collected())
