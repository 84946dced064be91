"""Schedules that lead to where defects are likely: into a race, or to some state that is far off.

Most defects of shared objects lie between the wake-up of a task and its step, and need several tasks; a walk that takes
any event next seldom gets there.  So the states nearest the start are searched for steps that make an event due: one
that no machine asks for, because it is hidden or because the loop alone gives a task its turn.  A race is drawn in
four parts: the actions that became due, and their causes, so that rare pairs have their share; one of those steps, with
its shortest path; the next event, every other time one of the caller that has something due; and whether the
implementation comes to rest then.

The first of the events that differ only in data is taken: a caller and its arguments of the caller's type are names,
all others are data.  With the symmetry of a model only representatives are kept.  The rules of the machine find the
rest.

If nothing becomes due in a specification, the paths lead to all states, and are drawn by their last action.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cache, cached_property
from typing import Any, NamedTuple

import hypothesis.strategies as st

from impl.sim.garbage import uncollected
from spec.kit.core import Event
from spec.kit.fifo import Fifo
from spec.kit.model import Model

from .shortest_paths import TURN, Schedule

# Any in this file: states of any text.

#: The implementation runs until nothing moves, as a move of a schedule.
REST = Event("rest")
#: Usually so many states are searched.
STATES_MOST = 2_000
#: About one schedule in so many is left out, and one move in so many; a shrinker leaves out all that do not matter.
SELDOM = 100


class Race(NamedTuple):
    """A path to a state, and the caller of the event that its last event made due, or of that event; () if none."""

    path: Schedule
    state: Any
    caller: tuple[Hashable, ...]


class RaceStates:
    """The races of `model` among the `most` states nearest the start."""

    def __init__(self, model: Model[Any, Any], most: int = STATES_MOST) -> None:
        self.model, self.most = model, most
        hidden = by_itself(model)
        firsts = {(event.name, self.named(event)): event for event in reversed(model.events)}
        events = reversed(firsts.values()) if hidden else model.events
        self.visible = [e for e in events if e.name not in hidden]
        self.hidden = [e for e in model.events if e.name in hidden]
        self.due = cache(self._due)

    def named(self, event: Event) -> tuple[Hashable, ...]:
        """Its caller, and its other arguments of the caller's type."""
        types = self.model.spec.actions[event.name].params
        return tuple(arg for arg, kind in zip(event.args, types, strict=True) if kind == types[0])

    @cached_property
    def found(self) -> dict[tuple[str, str], list[Race]]:
        """By the name of the event that became due, if any, and that of the last one; in breadth-first order."""
        races: dict[tuple[str, str], list[Race]] = {}
        led: set[tuple[str, Any]] = set()  # of the steps of one action to one state the first is enough
        with uncollected():
            for path, event, due, t, kept in self.steps():
                if event not in due and (event.name, kept) not in led:
                    led.add((event.name, kept))
                    for new in [new for new in self.due(t) if new not in due] if self.hidden else [event]:
                        races.setdefault((new.name, event.name), []).append(Race(path, t, new.args[:1]))
        return races

    def steps(self) -> Iterator[tuple[Schedule, Event, list[Event], Any, int]]:
        """Each step: the path to its end, its event, the events due before it, its end, and the number of its class
        under the symmetry.
        """
        canon = self.model.canon or (lambda s: s)
        numbers: dict[Any, int] = {}
        number = cache(lambda s: numbers.setdefault(canon(s), len(numbers)))  # most steps end where others do
        todo: list[tuple[Any, Schedule]] = [(s, ()) for s in self.model.init]
        seen = {number(s) for s in self.model.init}
        for s, path in todo:  # which grows
            if len(seen) >= self.most:
                return
            due = self.due(s)
            for event in (*self.visible, *due):
                there = (*path, TURN if event in due else event)
                for t in self.model.after(s, event):
                    yield there, event, due, t, (kept := number(t))
                    if kept not in seen:
                        seen.add(kept)
                        todo.append((t, there))

    def _due(self, s: Any) -> list[Event]:
        return [event for event in self.hidden if self.model.allows(s, event)]

    def nexts(self, race: Race) -> list[list[Event]]:
        """The next events that change the state: all, and those of the race's caller; empty lists are left out."""
        changes = [e for e in self.visible if any(t != race.state for t in self.model.after(race.state, e))]
        own = [event for event in changes if event.args[:1] == race.caller]
        return [events for events in (changes, own) if events]


def by_itself(model: Model[Any, Any]) -> frozenset[str]:
    """The actions that no machine asks for: the hidden ones, and those of a loop that gives a job its turn."""
    turns = model.jobs.turns if isinstance(model, Fifo) else ()
    return frozenset(turns) | {action.name for action in model.spec.actions.values() if action.hidden}


@st.composite
def schedules(draw: st.DrawFn, races: RaceStates) -> Schedule:
    """A path into a race and the next event; nothing if there is no race, or if it is left out."""
    if not races.found or not draw(st.integers(0, SELDOM)):
        return ()
    race = draw(st.sampled_from(draw(st.sampled_from(list(races.found.values())))))
    moves = race.path
    if nexts := races.nexts(race):
        moves += (draw(st.sampled_from(draw(st.sampled_from(nexts)))),)
    moves += draw(st.sampled_from([(), (REST,)]))
    return tuple(move for move in moves if draw(st.integers(0, SELDOM)))
