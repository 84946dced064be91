"""Schedules that lead into a race: something has become due to a caller, and another event comes before it.

Theory of operation.  Most defects of what tasks share lie between a wake-up and the turn of who was woken, and need
company besides; a walk that takes any event next seldom gets there.  So the states nearest the start are searched for
steps by which a hidden event becomes due.  A race is drawn in three: which hidden action, so that the rare ones have
their share; which of those steps, with its shortest path; and which event comes next, every other time one of the very
caller to whom something is due.  Of events that differ behind their caller only the first is taken, and with the
symmetry of a model only representatives are kept: what is left out, free choice finds more easily.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any, NamedTuple

import hypothesis.strategies as st

from spec.kit.core import Event
from spec.kit.model import Model

from ..traces.schedules import TURN, Schedule

# Any in this file: states of any text.

#: So many states are searched.
STATES_MOST = 4_000
#: Of so many moves one is left out.
SELDOM = 100


class Race(NamedTuple):
    """What led here, and the caller, if it has one, of what became due by the last event of it."""

    path: Schedule
    state: Any
    caller: tuple[Hashable, ...]


class Races:
    """The races of `model`."""

    def __init__(self, model: Model[Any, Any]) -> None:
        self.model = model
        hidden = {action.name for action in model.spec.actions.values() if action.hidden}
        firsts = {(event.name, event.args[:1]): event for event in reversed(model.events)}
        self.visible = [e for e in reversed(firsts.values()) if e.name not in hidden]
        self.hidden = [e for e in model.events if e.name in hidden]

    @cached_property
    def found(self) -> dict[str, list[Race]]:
        """By the name of what became due, in breadth-first order."""
        canon = self.model.canon or (lambda s: s)
        races: dict[str, list[Race]] = {}
        todo = [(s, Schedule(), self.due(s)) for s in self.model.init]
        seen = {canon(s) for s, _, _ in todo}
        for s, path, due in todo:
            if len(seen) >= STATES_MOST:
                break
            for event in (*self.visible, *due):
                for t in self.model.after(s, event):
                    if canon(t) in seen:
                        continue
                    seen.add(canon(t))
                    there, due_there = (*path, TURN if event in due else event), self.due(t)
                    todo.append((t, there, due_there))
                    for new in due_there:
                        if new not in due and event not in due:
                            races.setdefault(new.name, []).append(Race(there, t, new.args[:1]))
        return races

    def due(self, s: Any) -> list[Event]:
        return [event for event in self.hidden if self.model.after(s, event)]

    def nexts(self, race: Race) -> list[list[Event]]:
        """What may come next and changes something: all that may, and what the caller does or suffers; if anything."""
        changes = [e for e in self.visible if any(t != race.state for t in self.model.after(race.state, e))]
        own = [event for event in changes if event.args[:1] == race.caller]
        return [events for events in (changes, own) if events]


@st.composite
def schedules(draw: st.DrawFn, races: Races) -> Schedule:
    """A path into a race and what comes next; nothing if there is no race."""
    if not races.found:
        return ()
    race = draw(st.sampled_from(draw(st.sampled_from(list(races.found.values())))))
    nexts = races.nexts(race)
    moves = (*race.path, draw(st.sampled_from(draw(st.sampled_from(nexts))))) if nexts else race.path
    return tuple(
        move for move in moves if draw(st.integers(0, SELDOM))
    )  # which a shrinker makes 0 where it can
