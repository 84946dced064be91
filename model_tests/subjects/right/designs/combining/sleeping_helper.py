"""A timeout with a helper task as its clock: it sleeps and then cancels the task in the block.

The documentation says that CancelledError becomes TimeoutError, and names no clock.
"""

from __future__ import annotations

import asyncio


class Timeout:
    def __init__(self, when: float | None) -> None:
        self._when, self._expired, self._left = when, False, False
        self._task: asyncio.Task[object] | None = None
        self._helper: asyncio.Task[None] | None = None

    def when(self) -> float | None:
        return self._when

    def expired(self) -> bool:
        return self._expired

    def reschedule(self, when: float | None) -> None:
        if self._task is None or self._expired or self._left:
            raise RuntimeError("only an entered timeout that has not expired can be rescheduled")
        if self._helper is not None:
            self._helper.cancel()
        self._when = when
        self._helper = None if when is None else asyncio.create_task(self._strike(self._task, when))

    async def _strike(self, task: asyncio.Task[object], when: float) -> None:
        loop = asyncio.get_running_loop()
        while loop.time() < when:
            await asyncio.sleep(when - loop.time())
        self._expired = True
        task.cancel()

    async def __aenter__(self) -> Timeout:
        task = asyncio.current_task()
        if self._task is not None or task is None:
            raise RuntimeError("a timeout is entered once, and inside a task")
        self._task, self._before = task, task.cancelling()
        self.reschedule(self._when)
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._left = True
        if self._helper is not None:
            self._helper.cancel()
        if self._expired and self._task is not None:
            alone = self._task.uncancel() <= self._before
            if alone and isinstance(error, asyncio.CancelledError):
                raise TimeoutError from error


def timeout(delay: float | None) -> Timeout:
    return Timeout(None if delay is None else asyncio.get_running_loop().time() + delay)


def timeout_at(when: float | None) -> Timeout:
    return Timeout(when)
