"""Witnesses of the wrong wait()s, as_completed()s and shield()s."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, ended, outcome, settle, shows
from ..wrong import waits as wrong

# Any: what is waited for.


def futures(number: int) -> list[asyncio.Future[Any]]:
    """Return new futures."""
    return [asyncio.get_running_loop().create_future() for _ in range(number)]


@shows((1, 1), wrong.wait_skips_the_cancelled)
async def first_completed_and_cancelled(wait: Thing) -> Any:
    cancelled, other = futures(2)
    waiting = asyncio.ensure_future(wait([cancelled, other], return_when=asyncio.FIRST_COMPLETED))
    await settle()
    cancelled.cancel()
    await settle()
    other.cancel()
    done, pending = await waiting
    return len(done), len(pending)


@shows((0, 1, "pending"), wrong.wait_cancels_the_late, wrong.wait_raises_timeout)
async def a_timeout(wait: Thing) -> Any:
    (late,) = futures(1)
    done, pending = await wait([late], timeout=1)
    return len(done), len(pending), outcome(late)


@shows((2, 0), wrong.wait_returns_the_first_only)
async def two_at_once(wait: Thing) -> Any:
    both = futures(2)
    for future in both:
        future.set_result(None)
    done, pending = await wait(both, return_when=asyncio.FIRST_COMPLETED)
    return len(done), len(pending)


@shows(["TimeoutError"], wrong.as_completed_without_timeout)
async def timeout_of_as_completed(as_completed: Thing) -> Any:
    return [await ended(future) for future in as_completed([asyncio.sleep(2, "late")], timeout=1)]


@shows(["ValueError", "late"], wrong.as_completed_cancels_the_late)
async def one_fails(as_completed: Thing) -> Any:
    async def fail() -> None:
        raise ValueError

    return [await ended(future) for future in as_completed([fail(), asyncio.sleep(1, "late")])]


@shows(["cancelled", "pending", 1], wrong.shield_holds_the_caller)
async def a_cancelled_caller(shield: Thing) -> Any:
    (inner,) = futures(1)

    async def caller() -> Any:
        return await shield(inner)

    task = asyncio.ensure_future(caller())
    await settle()
    task.cancel()
    await settle()
    seen = [outcome(task), outcome(inner)]
    if not inner.done():
        inner.set_result(1)
    return [*seen, outcome(inner)]


@shows("cancelled", wrong.shield_survives_the_inner)
async def a_cancelled_inner(shield: Thing) -> Any:
    (inner,) = futures(1)
    outer = shield(inner)
    inner.cancel()
    await settle()
    return outcome(outer)
