"""The lines of a recorded run: calls, returns, actions seen as they happen, and the end of an idle loop.

A recorder, of any runtime, writes these lines in the order of events; `monitor.py` decides whether a
specification allows them.  A recorder that knows the very moment of an action writes `Do`, and the
check is sharp.  One that knows only that a call began and ended writes `Call` and `Return`, between which the action
may take place at any moment.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from .core import Event


@dataclass(frozen=True, slots=True)
class Call:
    """The caller, the first argument of `event`, begins the call: it takes place some time before it returns."""

    event: Event

    def __str__(self) -> str:
        return f"call {self.event}"


@dataclass(frozen=True, slots=True)
class Do:
    """The event takes place here and now; a result, if its caller gets one, is a `Return` later."""

    event: Event

    def __str__(self) -> str:
        return str(self.event)


@dataclass(frozen=True, slots=True)
class Seen(Do):
    """A hidden action takes place here and now: most recorders cannot see it, but this one does."""


@dataclass(frozen=True, slots=True)
class Return:
    """The last call of the caller returns this answer."""

    caller: Hashable
    answer: Hashable

    def __str__(self) -> str:
        return f"return {self.answer} to {self.caller}"


@dataclass(frozen=True, slots=True)
class End:
    """The loop is idle: no fair hidden action is due, and no call has a result to come."""

    def __str__(self) -> str:
        return "the loop is idle"


Line = Call | Do | Return | End
