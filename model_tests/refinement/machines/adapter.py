"""The interface between a generated machine, or a directed schedule, and an implementation: `Adapter`.

An adapter connects the visible events of a specification with one real object.  It performs each requested event, now
or in a later turn, and records a line of `spec.kit.trace` for everything that it observes, in order.  It knows no
rule: the monitor judges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from spec.kit.core import Event
from spec.kit.trace import Line

#: The report of a state without details.
SHOWN = "what is seen of the state"
#: Called with every line, as it happens.
Record = Callable[[Line], None]


class Adapter(Protocol):
    """One object under test, for one run."""

    def knows(self, name: str) -> bool:
        """Whether it can do the action of that name."""

    def do(self, event: Event) -> None:
        """Do it, or have it done in the turns to come; record each event when it takes place."""

    def turn(self) -> None:
        """Let the implementation run by exactly one turn."""

    def settle(self) -> None:
        """Let it run until nothing moves any more.  Raises AssertionError when it does not come to rest."""

    def see(self, s: Any) -> bool:  # Any: a state of the specification that the adapter is for
        """Whether the visible state of the object agrees with `s`."""

    def shown(self) -> str:
        """The state that `see` looks at, for the report when no state agrees."""

    def close(self) -> None:
        """The run is over: leave nothing behind."""


#: Makes an adapter for the constants of a model; it is to write its lines to the second argument.
Make = Callable[[Any, Record], Adapter]  # Any: constants of the specification that the adapter is for
