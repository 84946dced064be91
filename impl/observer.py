"""What a loop tells whoever watches it: one slot, `loop.observer`, tested for None and nothing more when off.

Theory of operation.  Objects announce what happens to them by the methods below, at the moment it happens.
The recorder (`trace.py`) turns them into typed events; an explorer may turn them into footprints.  Every method
here does nothing, so that an observer overrides only what it wants.  Objects are passed themselves, never by
name: naming them canonically (creator, n-th creation) is the recorder's affair, so it costs nothing when off.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .faces import Runnable, Watched


class Item(Enum):
    """What may happen to an item of a queue."""

    PUT = "put"
    GOT = "got"
    DONE = "done"


class Observer:
    """Override what you want to see; the time is `now` of the clock that `bind` is given."""

    __slots__ = ()

    def bind(self, clock: Watched) -> None:
        """The loop that it watches, told once, when that is made."""

    def created(self, thing: object) -> None:
        """A future, task, queue or connection was made (by the current task, if there is one)."""

    def taken(self, item: Runnable) -> None:
        """The kernel took `item` from the ready queue and runs it now."""

    def ran(self, item: Runnable) -> None:
        """The item's turn is over: a task has parked, paused or finished."""

    def resolved(self, future: object) -> None:
        """A future, or a task, got its result, exception or cancellation."""

    def cancel_requested(self, task: object) -> None:
        """cancel() of a task that is not done."""

    def cancel_delivered(self, task: object) -> None:
        """CancelledError is thrown into the task now."""

    def queue(self, queue: object, what: Item) -> None:
        """An item was put, was taken, or was reported done."""

    def timer(self, when: int, target: Runnable) -> None:
        """A timer (due at `when`, virtual nanoseconds) made `target` ready."""

    def opened(self, conn: object, local: str, remote: str) -> None:
        """A connection was established between two addresses ("host:port")."""

    def carried(self, conn: object, data: bytes) -> None:
        """Bytes arrived at `conn`."""

    def closed(self, conn: object, how: str) -> None:
        """`conn` was closed: "eof", "close", "reset"."""
