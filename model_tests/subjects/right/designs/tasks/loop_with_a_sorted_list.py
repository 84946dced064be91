"""A selector loop that keeps its timers in a sorted list of its own behind one inner timer.

The documentation says when a timer is due and leaves free how a loop stores those that are not.
"""

from __future__ import annotations

import asyncio
import contextvars
from bisect import insort
from collections.abc import Callable
from typing import Any


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        super().__init__()
        self._timers: list[asyncio.TimerHandle] = []
        self._inner: asyncio.TimerHandle | None = None

    def _set_inner(self) -> None:
        if self._inner is not None:
            self._inner.cancel()
        self._inner = super().call_at(self._timers[0].when(), self._due) if self._timers else None

    def _due(self) -> None:
        self._inner, now = None, self.time()
        while self._timers and self._timers[0].when() <= now:
            timer = self._timers.pop(0)
            if not timer.cancelled():
                self._ready.append(timer)  # type: ignore[attr-defined]
        self._set_inner()

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        self._check_closed()  # type: ignore[attr-defined]
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._timers = [one for one in self._timers if not one.cancelled()]
        insort(self._timers, timer, key=asyncio.TimerHandle.when)
        if self._timers[0] is timer:
            self._set_inner()
        return timer

    def call_later(  # type: ignore[override]
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)


def new_event_loop() -> asyncio.AbstractEventLoop:
    return _Loop()
