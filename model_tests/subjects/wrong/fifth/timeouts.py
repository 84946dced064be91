"""Wrong asyncio.timeout, timeout_at and Timeout: the count of requests, the clock, the states."""

from __future__ import annotations

import asyncio
from typing import Any

from .._parts import Timeout

_State: Any = asyncio.timeouts._State  # type: ignore[attr-defined]


class TimeoutThatExpiresOnlyAtItsEnd(Timeout):
    """expired() is False in the block that is being interrupted; it is True only after it.

    Breaks "Return whether the context manager has exceeded its deadline (expired)." (asyncio-task.html,
    Timeout.expired()); timeouts.py: "return self._state in (_State.EXPIRING, _State.EXPIRED)"
    """

    def expired(self) -> bool:
        return self._state is _State.EXPIRED


class TimeoutThatMayBeEnteredAgain(Timeout):
    """A Timeout that was used is entered a second time, with its old deadline, instead of being refused.

    Breaks timeouts.py, __aenter__(): "if self._state is not _State.CREATED: raise RuntimeError("Timeout has already
    been entered")"
    """

    async def __aenter__(self) -> Any:
        if self._state in (_State.EXITED, _State.EXPIRED):  # type: ignore[has-type]
            self._state = _State.CREATED
        return await super().__aenter__()
