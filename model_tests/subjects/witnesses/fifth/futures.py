"""Witnesses of wrong/fifth/futures.py."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

from ...witness import Thing, settle, shows
from ...wrong.fifth import futures as wrong

_VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("_VARIABLE", default="unset")


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


@shows((True, False), wrong.FutureThatIsCancelledTwice)
async def _cancel_twice(thing: Thing) -> Any:
    future = thing()
    return future.cancel(), future.cancel()
