"""timeout: limit the time of a block of code, by cancelling the task that runs it.

1.  At the deadline the block cancels its task, as any other code could, and counts this one request.  At its end the
    block takes the request back (`uncancel`, TIMEOUT-8).  If no more requests remain than before the block, the cancel
    was the block's alone, and the CancelledError becomes a TimeoutError (TIMEOUT-1).  So of nested blocks only the
    expired one raises it (TIMEOUT-6).
2.  If other code has cancelled the task as well, the CancelledError stays one: a cancel from outside never turns into
    a timeout (TIMEOUT-2).  If the block swallowed the cancel, or ended with another error, that result stands.
    The timer of a block that has ended is cancelled, and kept no longer (LEAK-10).
3.  A deadline that has passed when the block begins is handled by `call_soon`: it takes effect at the first await that
    yields to the loop (TIMEOUT-5; gh-95051), and never if there is none.
4.  If the block raises another error while it handles the timeout's cancel, the history of the error shows the timeout:
    a TimeoutError is inserted between the error and the CancelledError in its `__context__` (pinned by the tests of
    3.13).

Source: CPython documentation of 3.15, `asyncio.timeout` ("Timeouts"), and Lib/asyncio/timeouts.py of 3.15.
"""

from __future__ import annotations

from enum import Enum
from types import TracebackType
from typing import Self

from ..interfaces import Foreign, Spawner, TimerHandle
from ..tasks.current import running_loop


class _TimeoutState(Enum):
    CREATED = "created"
    ENTERED = "active"
    EXPIRING = "expiring"
    EXPIRED = "expired"
    EXITED = "finished"


class Timeout:
    """An asynchronous context manager that cancels overdue code (asyncio.Timeout); made by `timeout`.

    Parameters:
        when: the deadline in seconds of the loop's `time()`; None: no deadline.
        loop: the host of the task that will run the block; None: the host that runs when the block is entered.
    """

    __slots__ = ("_cancels_before", "_loop", "_state", "_task", "_timer", "_when")

    _cancels_before: int  # of the task, when it enters the block

    def __init__(self, when: float | None, loop: Spawner | None = None) -> None:
        self._when = when
        self._loop = loop
        self._state = _TimeoutState.CREATED
        self._timer: TimerHandle | None = None
        self._task: Foreign = None

    def when(self) -> float | None:
        """The deadline, in seconds of the loop's `time()`; None: there is none."""
        return self._when

    def expired(self) -> bool:
        """Whether the deadline passed while the block ran, and cancelled the task (TIMEOUT-4)."""
        return self._state in (_TimeoutState.EXPIRING, _TimeoutState.EXPIRED)

    def reschedule(self, when: float | None) -> None:
        """Move the deadline to `when` (seconds of the loop's `time()`); None removes it (TIMEOUT-3).

        Raises:
            RuntimeError: the block was not entered, has expired, or is over (TIMEOUT-7).
        """
        if self._state is _TimeoutState.CREATED:
            raise RuntimeError("Timeout has not been entered")
        if self._state is not _TimeoutState.ENTERED:
            raise RuntimeError(f"Cannot change state of {self._state.value} Timeout")
        self._when = when
        self._stop_timer()
        if when is None:
            return
        loop = self._loop
        assert loop is not None
        if when <= loop.time():
            self._timer = loop.call_soon(self._expire)
        else:
            self._timer = loop.call_at(when, self._expire)

    async def __aenter__(self) -> Self:
        """Start the clock.

        Raises:
            RuntimeError: the block was entered before, or no task is running (TIMEOUT-7).
        """
        if self._state is not _TimeoutState.CREATED:
            raise RuntimeError("Timeout has already been entered")
        if self._loop is None:
            self._loop = running_loop()
        task = self._loop.current
        if task is None:
            raise RuntimeError("Timeout should be used inside a task")
        self._state = _TimeoutState.ENTERED
        self._task = task
        self._cancels_before = task.cancelling()
        self.reschedule(self._when)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop_timer()
        task, self._task = self._task, None
        if self._state is not _TimeoutState.EXPIRING:
            self._state = _TimeoutState.EXITED
            return
        self._state = _TimeoutState.EXPIRED
        ours_alone = task.uncancel() <= self._cancels_before
        # The error's traceback holds this frame, which must not hold the task, which holds the error.
        del task
        if error is None or not ours_alone:
            return
        assert self._loop is not None
        cancelled = self._loop.Cancelled
        if isinstance(error, cancelled):
            raise TimeoutError from error
        _mention(error, cancelled)
        if isinstance(error, ExceptionGroup):
            for member in error.exceptions:
                _mention(member, cancelled)

    def _expire(self) -> None:
        """Cancel the task at the deadline."""
        self._state = _TimeoutState.EXPIRING
        self._task.cancel()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def __repr__(self) -> str:
        when = f" when={self._when}" if self._state is _TimeoutState.ENTERED else ""
        return f"<{type(self).__name__} [{self._state.value}]{when}>"


def _mention(error: BaseException, cancelled: type[BaseException]) -> None:
    """Insert a TimeoutError before the first cancel in the history of `error`."""
    while (before := error.__context__) is not None:
        if isinstance(before, cancelled):
            overdue = TimeoutError()
            overdue.__cause__ = overdue.__context__ = before
            error.__context__ = overdue
            return
        error = before


def timeout(delay: float | None, *, loop: Spawner | None = None) -> Timeout:
    """Limit the time of a block: `async with timeout(10): ...` (asyncio.timeout).

    The block raises TimeoutError when it takes longer than `delay` seconds; None: no limit, until `reschedule`.

    Raises:
        RuntimeError: no loop is given and none is running.
    """
    if loop is None:
        loop = running_loop()
    return Timeout(None if delay is None else loop.time() + delay, loop)


def timeout_at(when: float | None, *, loop: Spawner | None = None) -> Timeout:
    """As `timeout`, with the deadline itself, in seconds of the loop's `time()` (asyncio.timeout_at)."""
    return Timeout(when, loop)
