"""Witnesses of wrong/fifth/futures.py."""

from __future__ import annotations

import asyncio
import contextvars
import traceback
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows
from ...wrong.fifth import futures as wrong

_VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("_VARIABLE", default="unset")


@shows((False, True), wrong.FutureThatTakesNoneForNoResult)
async def _set_the_result_none(thing: Thing) -> Any:
    future = thing()
    before = future.done()
    future.set_result(None)
    return before, future.done()


class _Listener:
    """An object with a method as a callback."""

    def __init__(self) -> None:
        self.calls = 0

    def on_done(self, future: asyncio.Future[Any]) -> None:
        self.calls += 1


@shows((1, 0), wrong.FutureThatRemovesCallbacksByIdentity)
async def _remove_a_method(thing: Thing) -> Any:
    future, listener = thing(), _Listener()
    future.add_done_callback(listener.on_done)
    removed = future.remove_done_callback(listener.on_done)
    future.set_result(None)
    await settle()
    return removed, listener.calls


@shows(["as added"], wrong.FutureThatCallsInTheContextOfItsEnd)
async def _end_in_another_context(thing: Thing) -> Any:
    seen: list[str] = []
    future = thing()
    _VARIABLE.set("as added")
    future.add_done_callback(lambda _: seen.append(_VARIABLE.get()))
    _VARIABLE.set("as ended")
    future.set_result(None)
    await settle()
    return seen


@shows(("InvalidStateError", "cancelled"), wrong.FutureThatIgnoresAResultAfterCancel)
async def _set_a_result_after_cancel(thing: Thing) -> Any:
    async def produce() -> None:
        future.set_result("lost")

    future = thing()
    future.cancel()
    return await ended(produce()), outcome(future)


def _frames(future: asyncio.Future[Any]) -> int:
    try:
        future.result()
    except ValueError as error:
        return len(traceback.extract_tb(error.__traceback__))
    return 0


@shows(0, wrong.FutureThatGrowsItsTraceback)
async def _ask_twice_for_an_error(thing: Thing) -> Any:
    future = thing()
    future.set_exception(ValueError())
    first = _frames(future)
    return _frames(future) - first


@shows((True, False), wrong.FutureThatIsCancelledTwice)
async def _cancel_twice(thing: Thing) -> Any:
    future = thing()
    return future.cancel(), future.cancel()
