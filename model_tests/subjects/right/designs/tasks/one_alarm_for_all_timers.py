"""A loop that keeps its timers in a list of its own and sets one alarm of the base loop for the earliest.

The documentation says when call_at() and call_later() run a callback, but not how timers are kept, nor the
turn.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVarTuple

Ts = TypeVarTuple("Ts")


class OneAlarmLoop(asyncio.SelectorEventLoop):
    def __init__(self, selector: Any = None) -> None:
        super().__init__(selector)
        self._own_timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._count = count()  # timers of the same moment run in the order of their calls
        self._alarm: asyncio.TimerHandle | None = None

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        if when is None:
            raise TypeError("when cannot be None")
        if self.is_closed():
            raise RuntimeError("Event loop is closed")
        if self.get_debug():
            base: Any = self
            base._check_thread()
            base._check_callback(callback, "call_at")
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heappush(self._own_timers, (when, next(self._count), timer))
        self._set_alarm()
        return timer

    def _set_alarm(self) -> None:
        while self._own_timers and self._own_timers[0][2].cancelled():
            heappop(self._own_timers)
        if not self._own_timers:
            return
        when = self._own_timers[0][0]
        if self._alarm is not None and self._alarm.when() > when:
            self._alarm.cancel()
            self._alarm = None
        if self._alarm is None:
            self._alarm = super().call_at(when, self._ring, context=contextvars.Context())

    def _ring(self) -> None:
        base: Any = self
        self._alarm = None
        end = self.time() + base._clock_resolution
        while self._own_timers and self._own_timers[0][0] <= end:
            timer = heappop(self._own_timers)[2]
            if not timer.cancelled():
                base._ready.append(timer)  # runs in the next turn, in its own context
        self._set_alarm()

    def close(self) -> None:
        super().close()
        self._own_timers.clear()


def new_event_loop() -> asyncio.AbstractEventLoop:
    return OneAlarmLoop()
