"""A timeout with an alarm that is never taken back for a later deadline: it looks at the deadline when it rings.

The documentation says "Reschedule the timeout", and leaves the timer that was set before free.
"""

from __future__ import annotations

import asyncio
from typing import Any


class Timeout:
    def __init__(self, when: float | None) -> None:
        self._when, self._task, self._expired, self._left = when, None, False, False
        self._alarm: asyncio.TimerHandle | None = None

    _task: asyncio.Task[Any] | None

    def when(self) -> float | None:
        return self._when

    def expired(self) -> bool:
        return self._expired

    def reschedule(self, when: float | None) -> None:
        if self._task is None or self._left or self._expired:
            raise RuntimeError("only a timeout that is active can be rescheduled")
        self._when = when
        if when is not None and (self._alarm is None or when < self._alarm.when()):
            self._stop()
            self._alarm = asyncio.get_running_loop().call_at(when, self._ring)

    def _stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _ring(self) -> None:
        assert self._task is not None
        assert self._alarm is not None
        due, self._alarm = self._alarm.when(), None
        if self._when is not None and self._when > due:
            self.reschedule(self._when)
        elif self._when is not None:
            self._expired = self._task.cancel()

    async def __aenter__(self) -> Timeout:
        if self._task is not None:
            raise RuntimeError("the timeout was entered before")
        self._task = asyncio.current_task()
        if self._task is None:
            raise RuntimeError("a timeout works inside a task only")
        self._before = self._task.cancelling()
        self.reschedule(self._when)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        self._stop()
        self._left = True
        if self._expired and self._task is not None:
            ours = self._task.uncancel() <= self._before
            if ours and isinstance(error, asyncio.CancelledError):
                raise TimeoutError from error


def timeout_at(when: float | None) -> Timeout:
    return Timeout(when)


def timeout(delay: float | None) -> Timeout:
    return Timeout(None if delay is None else asyncio.get_running_loop().time() + delay)
