"""Wrong timeout and sleep."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import impl
from impl.combinators.timeout import Timeout
from impl.tasks.current import running_loop

from .mutant import breaks

#: The value that sleep() returns.
Result = Any


@breaks("TIMEOUT-2", "contract: a cancel from outside is no timeout")
class TimeoutHidesCancel(Timeout):
    """A cancel from outside becomes a TimeoutError."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        if kind is not None and issubclass(kind, impl.CancelledError):
            raise TimeoutError from error


@breaks("TIMEOUT-4", "contract: expired() says whether the deadline has passed")
class TimeoutNeverExpired(Timeout):
    """expired() returns False."""

    def expired(self) -> bool:
        return False


@breaks("TIMEOUT-5", "contract: a deadline in the past is a deadline")
class TimeoutIgnoresPast(Timeout):
    """A deadline in the past never cancels."""

    def reschedule(self, when: float | None) -> None:
        super().reschedule(None if when is not None and when <= running_loop().time() else when)


# --- sleep --------------------------------------------------------------------------------------------------


@breaks("TASK-4", "contract: sleep(0) suspends for one iteration", of=impl.sleep)
async def sleep_takes_two_iterations(delay: float, result: Result = None) -> Result:
    """sleep(0) suspends for two iterations."""
    if delay <= 0:
        await impl.sleep(0)
    return await impl.sleep(delay, result)


@breaks("TASK-4", "contract: sleep(0) suspends for one iteration", of=impl.sleep)
async def sleep_does_not_suspend(delay: float, result: Result = None) -> Result:
    """sleep(0) does not suspend."""
    return result if delay <= 0 else await impl.sleep(delay, result)


@breaks("SLEEP-1", "contract: sleep() returns its second argument", of=impl.sleep)
async def sleep_returns_nothing(delay: float, result: Result = None) -> None:
    """sleep() returns None."""
    await impl.sleep(delay)
