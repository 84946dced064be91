"""Wrong gather, wait, wait_for, as_completed, shield and ensure_future."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from typing import Any

import impl
from impl.combinators.wait import ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION

from .mutant import breaks

#: An awaitable, its result, or its future.
Awaited = Any
Pair = tuple[set[Awaited], set[Awaited]]


# --- gather -------------------------------------------------------------------------------------------------


@breaks("GATHER-1", "contract: results are in the order of the arguments", of=impl.gather)
def gather_orders_by_completion(*awaitables: Awaited, return_exceptions: bool = False) -> Awaited:
    """The results are in the order in which they came."""
    came: list[Awaited] = []
    futures = [impl.ensure_future(awaitable) for awaitable in awaitables]
    for future in futures:
        future.add_done_callback(came.append)
    inner = impl.gather(*futures, return_exceptions=return_exceptions)

    async def in_order() -> Awaited:
        results = await inner
        pairs = zip(futures, results, strict=True)
        return [result for _, result in sorted(pairs, key=lambda pair: came.index(pair[0]))]

    return impl.ensure_future(in_order()) if len(set(futures)) > 1 else inner


@breaks("GATHER-2", "contract: the other children go on", of=impl.gather)
def gather_cancels_others(*awaitables: Awaited, return_exceptions: bool = False) -> Awaited:
    """The first exception cancels the other children."""
    futures = [impl.ensure_future(awaitable) for awaitable in awaitables]

    def stop(future: Awaited) -> None:
        if not future.cancelled() and future.exception() is not None and not return_exceptions:
            for other in futures:
                other.cancel()

    for future in futures:
        future.add_done_callback(stop)
    return impl.gather(*futures, return_exceptions=return_exceptions)


@breaks("GATHER-3", "contract: with return_exceptions an exception is a result", of=impl.gather)
def gather_drops_exceptions(*awaitables: Awaited, return_exceptions: bool = False) -> Awaited:
    """With return_exceptions an exception becomes None."""
    inner = impl.gather(*awaitables, return_exceptions=return_exceptions)

    async def dropped() -> Awaited:
        return [None if isinstance(result, Exception) else result for result in await inner]

    return impl.ensure_future(dropped()) if return_exceptions else inner


@breaks("GATHER-4", "contract: a cancel goes to all children", of=impl.gather)
def gather_shields_children(*awaitables: Awaited, return_exceptions: bool = False) -> Awaited:
    """A cancel of the gather does not reach its children."""
    return impl.gather(*map(impl.shield, awaitables), return_exceptions=return_exceptions)


# --- wait ---------------------------------------------------------------------------------------------------


@breaks("WAIT-1", "contract: FIRST_COMPLETED returns after the first", of=impl.wait)
async def wait_first_of_three_waits_for_two(
    fs: Iterable[Awaited], *, timeout: float | None = None, return_when: str = ALL_COMPLETED
) -> Pair:
    """FIRST_COMPLETED of three futures waits for the second."""
    done, pending = await impl.wait(fs, timeout=timeout, return_when=return_when)
    if return_when == FIRST_COMPLETED and len(done) == 1 and len(pending) == 2:
        more, pending = await impl.wait(pending, timeout=timeout, return_when=return_when)
        done |= more
    return done, pending


@breaks("WAIT-2", "contract: FIRST_EXCEPTION returns after the first exception", of=impl.wait)
async def wait_ignores_exceptions(
    fs: Iterable[Awaited], *, timeout: float | None = None, return_when: str = ALL_COMPLETED
) -> Pair:
    """FIRST_EXCEPTION waits for all."""
    when = ALL_COMPLETED if return_when == FIRST_EXCEPTION else return_when
    return await impl.wait(fs, timeout=timeout, return_when=when)


@breaks("WAIT-4", "contract: a timeout of wait() cancels nothing", of=impl.wait)
async def wait_timeout_cancels(
    fs: Iterable[Awaited], *, timeout: float | None = None, return_when: str = ALL_COMPLETED
) -> Pair:
    """The futures that are not done at the timeout are cancelled."""
    done, pending = await impl.wait(fs, timeout=timeout, return_when=return_when)
    for future in pending if timeout is not None else ():
        future.cancel()
    return done, pending


@breaks("WAIT-5", "contract: a cancel of wait() cancels nothing else", of=impl.wait)
async def wait_forwards_cancel(
    fs: Iterable[Awaited], *, timeout: float | None = None, return_when: str = ALL_COMPLETED
) -> Pair:
    """A cancelled wait() cancels the futures that it waits for."""
    futures = list(fs)
    try:
        return await impl.wait(futures, timeout=timeout, return_when=return_when)
    except impl.CancelledError:
        for future in futures:
            future.cancel()
        raise


# --- wait_for -----------------------------------------------------------------------------------------------


@breaks("WAITFOR-2", "contract: a timeout cancels what is awaited", of=impl.wait_for)
async def wait_for_abandons(fut: Awaited, timeout: float | None) -> Awaited:
    """The awaitable continues after the timeout."""
    return await impl.wait_for(impl.shield(fut), timeout)


@breaks("WAITFOR-2", "bpo-32751", of=impl.wait_for)
async def wait_for_skips_cleanup(fut: Awaited, timeout: float | None) -> Awaited:
    """TimeoutError is raised before the cancelled task has cleaned up."""
    future = impl.ensure_future(fut)
    try:
        done, _ = await impl.wait([future], timeout=timeout)
    except impl.CancelledError:
        future.cancel()
        raise
    if done:
        return future.result()
    future.cancel()
    raise TimeoutError


# --- as_completed, shield, ensure_future --------------------------------------------------------------------


@breaks("ASDONE-1", "contract: results come in the order of completion", of=impl.as_completed)
def as_completed_keeps_order(fs: Iterable[Awaited], *, timeout: float | None = None) -> Awaited:
    """The results come in the order of the arguments."""
    return iter([impl.ensure_future(future) for future in fs])


@breaks("SHIELD-2", "contract: a cancel of the shield stops there", of=impl.shield)
def shield_forwards_cancel(what: Awaited) -> Awaited:
    """A cancel goes through the shield."""
    return impl.ensure_future(what)


@breaks("SHIELD-2", "contract: a cancel of the shield stops there", of=impl.shield)
def shield_cancels_runnable(what: Awaited) -> Awaited:
    """A cancel of the shield reaches an inner task that is ready to run."""
    inner = impl.ensure_future(what)
    outer = impl.shield(inner)

    def ended(outer: Awaited) -> None:
        if outer.cancelled() and getattr(inner, "waits_for", inner) is None:
            inner.cancel()

    outer.add_done_callback(ended)
    return outer


@breaks("ENSURE-1", "contract: ensure_future() returns a future itself", of=impl.ensure_future)
def ensure_future_wraps_futures(what: Awaited, *, loop: Awaited = None) -> Awaited:
    """A future is wrapped in a new task."""

    async def wrapper() -> Awaited:
        return await what

    wrapped: Coroutine[Any, Any, Awaited] | Awaited = wrapper() if impl.isfuture(what) else what
    return impl.ensure_future(wrapped, loop=loop)
