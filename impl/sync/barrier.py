"""Barrier: a number of tasks wait for each other, then all continue.

1.  While the barrier *fills*, each task takes a place and waits.  The task that takes the last place opens the barrier:
    it *drains*, and all return, each with the number of its own place (BARRIER-1).
2.  While it drains, newcomers wait outside; the last task that leaves lets them in (BARRIER-5).  So no task can take
    part in the same opening twice.
3.  `reset` raises BrokenBarrierError in all waiting tasks; the last task that leaves makes the barrier new (BARRIER-2).
    `abort` does the same and leaves it *broken*: later calls raise as well, until a reset (BARRIER-3).
4.  A cancelled task gives its place back (BARRIER-4), and the next one takes it: no place is taken twice at one time.
    (asyncio returns the number of tasks present, so that after a cancel two tasks may return with the same number, up
    to 3.15 at least: gh-155233; the documentation says "different for each task".)

All waiting is `wait_for` on one Condition: every change of the state wakes all tasks, and each checks for itself.
Names and meanings are those of `asyncio.Barrier` (CPython documentation of 3.15, "Synchronization Primitives").
"""

from __future__ import annotations

from enum import Enum
from types import TracebackType
from typing import ClassVar

from ..errors import BrokenBarrierError
from .condition import Condition


class _BarrierState(Enum):
    FILLING = "filling"
    DRAINING = "draining"
    RESETTING = "resetting"
    BROKEN = "broken"


class Barrier:
    """A barrier for `parties` tasks, at least 1 (asyncio.Barrier).

    Raises:
        ValueError: `parties` is less than 1.
    """

    __slots__ = ("__weakref__", "_changed", "_free", "_parties", "_state")

    #: The error of a wait at a broken or reset barrier; a bridge has that of another runtime.
    Broken: ClassVar[type[Exception]] = BrokenBarrierError

    def __init__(self, parties: int) -> None:
        if parties < 1:
            raise ValueError("parties must be >= 1")
        self._parties = parties
        self._free = list(range(parties))  # the places that are not taken
        self._state = _BarrierState.FILLING
        self._changed = Condition()

    @property
    def parties(self) -> int:
        """The number of tasks that open the barrier."""
        return self._parties

    @property
    def n_waiting(self) -> int:
        """The number of tasks that wait while it fills."""
        return self._count if self._state is _BarrierState.FILLING else 0

    @property
    def broken(self) -> bool:
        """Whether it was aborted, and not reset since (BARRIER-3)."""
        return self._state is _BarrierState.BROKEN

    @property
    def _count(self) -> int:
        """The number of tasks that have a place."""
        return self._parties - len(self._free)

    async def wait(self) -> int:
        """Wait until all parties have arrived; return the number of the caller's place, from 0 to parties - 1.

        Raises:
            BrokenBarrierError: the barrier is broken, or is broken or reset meanwhile.
        """
        async with self._changed:
            await self._enter()
            place = min(self._free)
            self._free.remove(place)
            try:
                await self._meet()
            finally:
                self._free.append(place)
                self._leave()
            return place

    async def _enter(self) -> None:
        """Wait outside while the barrier drains or resets (BARRIER-5)."""
        await self._changed.wait_for(lambda: self._state in (_BarrierState.FILLING, _BarrierState.BROKEN))
        if self._state is _BarrierState.BROKEN:
            raise self.Broken("Barrier aborted")

    async def _meet(self) -> None:
        """Open the barrier if all parties are there, else wait until it is opened, broken or reset."""
        if not self._free:
            self._become(_BarrierState.DRAINING)
        else:
            await self._changed.wait_for(lambda: self._state is not _BarrierState.FILLING)
            if self._state is not _BarrierState.DRAINING:
                raise self.Broken("Abort or reset of barrier")

    def _leave(self) -> None:
        """Make an opened or reset barrier new, if this is the last task that leaves it."""
        if self._count == 0 and self._state in (_BarrierState.DRAINING, _BarrierState.RESETTING):
            self._become(_BarrierState.FILLING)

    def _become(self, state: _BarrierState) -> None:
        self._state = state
        self._changed.notify_all()

    async def reset(self) -> None:
        """Make the barrier new; waiting tasks get BrokenBarrierError (BARRIER-2)."""
        async with self._changed:
            self._become(_BarrierState.FILLING if self._count == 0 else _BarrierState.RESETTING)

    async def abort(self) -> None:
        """Break the barrier: waits, now and until a reset, raise BrokenBarrierError (BARRIER-3)."""
        async with self._changed:
            self._become(_BarrierState.BROKEN)

    async def __aenter__(self) -> int:
        """`async with barrier as place`: as `wait`."""
        return await self.wait()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def _about(self) -> str:
        return self._state.value if self.broken else f"{self._state.value}, waiters:{self.n_waiting}/{self._parties}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} [{self._about()}]>"
