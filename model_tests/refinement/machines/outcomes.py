"""How a future or a task ended, as a value that a model and any runtime can be compared by.

Theory of operation.  An exception is known by the number it carries (`Failure`), a cancel by its message.
The message of a cancel is promised to the awaiter only where it is clear which request it was: a model writes
`UNSETTLED` where it is not; it matches every message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..subjects import FutureLike

#: The message of a cancel that nobody has read, or of which the documentation does not say what it is.
UNSETTLED: Final = "(any)"


class Failure(Exception):
    """The only exception that machines raise: known by its number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True)
class Returned:
    """It has a result."""

    value: object = None


@dataclass(frozen=True)
class Failed:
    """It has `Failure(number)` for its exception."""

    number: int


@dataclass(frozen=True)
class Cancelled:
    """It was cancelled, with `message`; None: without one."""

    message: str | None = UNSETTLED


Outcome = Returned | Failed | Cancelled


def matches(expected: Outcome, seen: Outcome) -> bool:
    """Whether `seen` is what the model expects."""
    if isinstance(expected, Cancelled) and isinstance(seen, Cancelled):
        return UNSETTLED in (expected.message, seen.message) or expected == seen
    return expected == seen


def cancelled_with(error: BaseException) -> Cancelled:
    """The outcome of being told `error`, a CancelledError of any runtime."""
    return Cancelled(error.args[0] if error.args else None)


def outcome_of(future: FutureLike) -> Outcome | None:
    """How it ended; None: it is pending.

    The message of a cancel is not read: a task of asyncio gives it to the first who asks, and that is to be the
    awaiter.
    """
    if not future.done():
        return None
    if future.cancelled():
        return Cancelled()
    error = future.exception()
    if error is None:
        return Returned(future.result())
    if not isinstance(error, Failure):
        raise AssertionError(f"{future!r} ended with {error!r}, which no program here raises") from error
    return Failed(error.number)
