"""A scene: what a picture shows.  Lanes stand side by side; a row is a step, and what it changes in the lanes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

#: What a lane does: nothing any more; it has a turn coming; it has the turn; it waits; what it waited for has come, and
#: it has not run since (the wake window); it is asked to end by a cancel; of a connection: it is open.
State: TypeAlias = Literal["done", "ready", "runs", "waits", "woken", "asked", "open"]


@dataclass(frozen=True, slots=True)
class Row:
    """A step."""

    #: The lane that takes it.
    lane: int
    #: What it does, in a few words: "waits for the lock".
    text: str
    #: The lanes that are in another state after it, each with that state.
    states: tuple[tuple[int, State], ...] = ()
    #: The virtual time in nanoseconds; None: it is not known.
    time: int | None = None
    #: Whether a choice made it come before what had been ready longer.
    star: bool = False
    #: The line of the program, as file:line, and its text.
    where: str = ""
    source: str = ""
    #: What the step read, wrote or called, a phrase each.
    touches: tuple[str, ...] = ()
    #: The rule that it follows.
    rule: str = ""
    #: The numbers of the turned pairs that it is a side of.
    pairs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A run: its lanes, by their names, and its rows."""

    title: str
    lanes: tuple[str, ...]
    rows: tuple[Row, ...]
    #: How it ended, and what else is said of the whole run, a line each.
    notes: tuple[str, ...] = ()
