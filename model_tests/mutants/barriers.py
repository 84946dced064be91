"""Wrong barriers."""

from __future__ import annotations

from impl.errors import CancelledError
from impl.sync.barrier import Barrier

from .mutant import breaks


@breaks("BARRIER-1", "gh-155233")
class BarrierNumbersByCount(Barrier):
    """A waiter's number is the count of those that wait, so after a cancel two waiters have the same."""

    async def wait(self) -> int:
        came = self._count
        await super().wait()
        return came


@breaks("BARRIER-1", "contract: each waiter has a number of its own")
class BarrierGivesOneNumber(Barrier):
    """All waiters have the number 0."""

    async def wait(self) -> int:
        await super().wait()
        return 0


@breaks("BARRIER-2", "contract: reset() raises in all waiters")
class BarrierResetWakesNothing(Barrier):
    """reset() leaves the waiters blocked."""

    async def reset(self) -> None:
        pass


@breaks("BARRIER-3", "contract: an aborted barrier stays broken")
class BarrierAbortOnlyResets(Barrier):
    """After abort() the barrier can be used again."""

    async def abort(self) -> None:
        await self.reset()


@breaks("BARRIER-4", "contract: a cancelled waiter gives its place back")
class BarrierCountsCancelled(Barrier):
    """A waiter that was cancelled still counts."""

    async def wait(self) -> int:
        try:
            return await super().wait()
        except CancelledError:
            if self._free:
                self._free.pop()
            raise
