"""Wrong asyncio.timeout, timeout_at and Timeout: the count of requests, the clock, the states."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

_Timeout: Any = asyncio.Timeout  # Any: the subjects use its private parts
_State: Any = asyncio.timeouts._State  # type: ignore[attr-defined]


class _ForgetsToUncancel(_Timeout):
    async def __aexit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> Any:
        if self._state is not _State.EXPIRING or not isinstance(exc_val, asyncio.CancelledError):  # type: ignore[has-type]
            return await super().__aexit__(exc_type, exc_val, exc_tb)
        self._state = _State.EXPIRED
        if self._task.cancelling() - 1 <= self._cancelling:
            raise TimeoutError from exc_val
        return None


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_leaves_its_request(delay: float | None) -> Any:
    """A block that expires turns CancelledError into TimeoutError, but the task still counts as being cancelled.

    Breaks "If end-user code is, for some reason, suppressing cancellation by catching CancelledError, it needs to call
    this method to remove the cancellation state." (asyncio-task.html, Task.uncancel()); timeouts.py, __aexit__():
    "if self._task.uncancel() <= self._cancelling"
    """
    loop = asyncio.get_running_loop()
    return _ForgetsToUncancel(None if delay is None else loop.time() + delay)


class TimeoutThatExpiresOnlyAtItsEnd(_Timeout):
    """expired() is False in the block that is being interrupted; it is True only after it.

    Breaks "Return whether the context manager has exceeded its deadline (expired)." (asyncio-task.html,
    Timeout.expired()); timeouts.py: "return self._state in (_State.EXPIRING, _State.EXPIRED)"
    """

    def expired(self) -> bool:
        return self._state is _State.EXPIRED


class TimeoutThatMayBeEnteredAgain(_Timeout):
    """A Timeout that was used is entered a second time, with its old deadline, instead of being refused.

    Breaks timeouts.py, __aenter__(): "if self._state is not _State.CREATED: raise RuntimeError("Timeout has already
    been entered")"
    """

    async def __aenter__(self) -> Any:
        if self._state in (_State.EXITED, _State.EXPIRED):  # type: ignore[has-type]
            self._state = _State.CREATED
        return await super().__aenter__()
