"""A scene, the content of a picture.  Lanes stand side by side; a row is a step, with its changes in the lanes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

#: The state of a lane after a step.  `woken` lasts from a wake-up to the turn of the woken task: the wake window.
State: TypeAlias = Literal["done", "ready", "runs", "waits", "woken", "asked", "thrown", "open"]

#: For each state its sign, so that a picture needs no colour, and its meaning.
SIGNS: Final[dict[State, tuple[str, str]]] = {
    "ready": ("○", "is ready to run"),
    "runs": ("●", "runs"),
    "waits": ("┆", "waits"),
    "woken": ("◎", "was woken and has not run yet: the wake window"),
    "asked": ("✗", "a cancel is requested"),
    "thrown": ("⊗", "the cancel is delivered"),
    "open": ("│", "is open"),
    "done": ("·", "is done"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A step."""

    #: The lane that takes it.
    lane: int
    #: Its description, in a few words: "waits for the lock".
    text: str
    #: The lanes that are in another state after it, each with that state.
    states: tuple[tuple[int, State], ...] = ()
    #: The virtual time in nanoseconds; None: it is not known.
    time: int | None = None
    #: The rule that it follows, or breaks.
    rule: str = ""
    #: The line of the program, as file:line, and its text.
    where: str = ""
    source: str = ""
    #: The lanes that show another text after it, each with that text: bytes under way, the value of a variable.
    values: tuple[tuple[int, str], ...] = ()
    #: Whether a choice made it come before an item that had been ready longer.
    star: bool = False
    #: The error in it: a fault of the network strikes, a property breaks, an error is raised.
    fault: str = ""
    #: The reads, writes and calls of the step, a phrase each.
    touches: tuple[str, ...] = ()
    #: The numbers of the turned pairs that it is a side of.
    pairs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A run: its lanes, by their names, and its rows.

    A lane without a name takes steps and has no column.
    """

    title: str
    lanes: tuple[str, ...]
    rows: tuple[Row, ...]
    #: How it ended, and further words about the whole run, a line each.
    notes: tuple[str, ...] = ()
    #: The text of the program; "": it is somewhere else.
    program: str = ""


def cells(rows: Iterable[Row]) -> Iterator[dict[int, str]]:
    """Yield, for each row, the lanes that change, each with its new cell: a state, or a state and "asked".

    A request to cancel is no state of its own: the task still waits, or is in its wake window, until the cancel is
    delivered.
    """
    states: dict[int, State] = {}
    asked: set[int] = set()
    for row in rows:
        for lane, state in row.states:
            if state == "asked":
                asked.add(lane)
                continue
            states[lane] = state
            if state in ("thrown", "done"):
                asked.discard(lane)
        yield {
            lane: " ".join([*([states[lane]] if lane in states else []), *["asked"] * (lane in asked)])
            for lane, _ in row.states
        }
