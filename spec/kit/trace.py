"""What is recorded of a run: calls, returns, actions seen as they happen, and the end of an idle loop.

Theory of operation.  A recorder of any runtime writes these lines, in the order in which things happened; `monitor.py`
says whether a specification allows them.  A recorder that knows the very moment at which an action takes place writes
`Do`, and the check is sharp; one that knows only that a call began and ended writes `Call` and `Return`, between which
the action may take place at any moment.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from .core import Event


@dataclass(frozen=True, slots=True)
class Call:
    """A caller, the first argument of `event`, asks for it: it takes place some time before the caller returns."""

    event: Event

    def __str__(self) -> str:
        return f"call {self.event}"


@dataclass(frozen=True, slots=True)
class Do:
    """The event takes place here and now; whoever waits for its answer gets a `Return` later."""

    event: Event

    def __str__(self) -> str:
        return str(self.event)


@dataclass(frozen=True, slots=True)
class Return:
    """The caller is given the answer to what it asked for last."""

    caller: Hashable
    answer: Hashable

    def __str__(self) -> str:
        return f"return {self.answer} to {self.caller}"


@dataclass(frozen=True, slots=True)
class End:
    """Nothing moves any more: no hidden action is due, nobody has an answer coming."""

    def __str__(self) -> str:
        return "the loop is idle"


Line = Call | Do | Return | End
