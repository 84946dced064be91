"""State machines made from specifications: `machine(model, make)` is a Hypothesis test of the objects that `make`
makes.

The machine has one rule for each action of the specification that can be asked for.  Its arguments are drawn from the
events that the specification allows now, so a failing example reads as a program: `state.put(args=(0, 3))`.  Three
more rules are the same for all: `turn` runs one loop iteration, `rest` runs until nothing moves, and `begin_again`
takes a new object and leads it to where defects are likely (`race_states.py`).  After every rule the monitor reads
the lines of the adapter and compares the state that the object shows; `Rejected` is the failure.  An action or a
property that is added to a specification needs no change here.

A call that waits for its turn has not taken place: until it is recorded, its caller, the first argument, makes no other
call.  The actions allowed to a caller must not depend on the other callers, beyond bounds that are never met.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from contextlib import closing
from functools import partial
from typing import Any, ClassVar

import hypothesis.strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from spec.kit.core import Event, SpecError
from spec.kit.model import Model
from spec.kit.monitor import Monitor
from spec.kit.trace import Call, Do, End, Line

from .adapter import Adapter, Make
from .race_states import REST, RaceStates, by_itself, schedules
from .shortest_paths import TURN, Schedule

# Any in this file: a machine is made from a model of any text.
Args = tuple[Hashable, ...]


class ModelContext:
    """A model, with the knowledge about it that examples share; it prints as its constants.

    `searched`: whether its states are, for schedules to begin with.
    """

    def __init__(self, model: Model[Any, Any], searched: bool = True) -> None:
        self.monitor = Monitor(model)
        self.races = RaceStates(model) if searched else RaceStates(model, 0)

    def __repr__(self) -> str:
        return f"<{self.monitor.model.spec.name}: {self.monitor.model.k}>"


class SpecMachine(RuleBasedStateMachine):
    """The base of all machines made from specifications; `machine` adds the rules of one."""

    make: ClassVar[Make]

    def __init__(self) -> None:
        super().__init__()
        self.adapter: Adapter | None = None
        self.recorded: list[Line] = []
        self.asked: list[Event] = []  # events that were asked for and have not taken place
        self._choices: dict[str, list[Args]] | None = None

    def set_up(self, ground: ModelContext) -> None:
        """A new object under test."""
        self.ground, self.monitor = ground, ground.monitor
        self.monitor.restart()
        self.adapter = type(self).make(self.monitor.model.k, self.recorded.append)
        demand(self.adapter, self.monitor.model)
        self.look()

    def steer(self, moves: Schedule) -> None:
        """Lead the object through `moves`; one that it cannot be asked for, as it has left the path, is left out."""
        for move in moves:
            if move == REST:
                self.rest()
            elif self.asked or move == TURN:
                self.turn()
            if move.args[:1] not in self.busy and self.monitor.may(move):
                self.ask(move)

    def ask(self, event: Event) -> None:
        """Have the event done."""
        self.asked.append(event)
        self.under_test.do(event)
        self.look()

    def stirs(self) -> bool:
        """Whether anything may happen by itself."""
        return bool(self.asked or self.ground.races.hidden)

    @precondition(stirs)
    @rule()
    def turn(self) -> None:
        """The implementation runs by exactly one turn."""
        self.under_test.turn()
        self.look()

    @precondition(stirs)
    @rule()
    def rest(self) -> None:
        """The implementation runs until nothing moves; then nothing may be due."""
        self.under_test.settle()
        self.look()
        self.monitor.feed(End())
        self.look()  # all possible events since have happened

    def look(self) -> None:
        """Show the monitor the recorded events and the visible state."""
        lines = self.recorded[:]
        self.recorded.clear()
        for line in lines:
            self.monitor.feed(line)
            if isinstance(line, Do | Call) and line.event in self.asked:
                self.asked.remove(line.event)
        self.monitor.see(self.under_test.see, self.under_test.shown())
        self._choices = None

    @property
    def busy(self) -> set[Args]:
        """The callers, as first arguments, of calls that have not taken place."""
        return {event.args[:1] for event in self.asked}

    @property
    def choices(self) -> dict[str, list[Args]]:
        """The events that may be asked for now: arguments by action.  Most looks are on a path, and do not need it."""
        if self._choices is None:
            busy, self._choices = self.busy, {}
            for event in self.monitor.enabled():
                if event.args[:1] not in busy:
                    self._choices.setdefault(event.name, []).append(event.args)
        return self._choices

    @property
    def under_test(self) -> Adapter:
        assert self.adapter is not None
        return self.adapter

    def tear_down(self) -> None:
        """Judge the end, unless a failure is on its way already: that one is to be told."""
        if self.adapter is None:  # the example was given up before it began
            return
        try:
            if sys.exception() is None:
                self.rest()
        finally:
            self.adapter.close()
            self.adapter = None
            self.recorded.clear()
            self.asked.clear()

    def teardown(self) -> None:
        self.tear_down()


def machine(
    models: Model[Any, Any] | Sequence[Model[Any, Any]],
    make: Make,
    *,
    more: st.SearchStrategy[Model[Any, Any]] | None = None,
    base: type[SpecMachine] = SpecMachine,
) -> type[SpecMachine]:
    """The machine that holds objects of `make` to a model, or to one of several, drawn for each example.

    The models are of one text; arguments are drawn from their domains.  `more` draws further models of that text,
    where no example is led anywhere; `base` may add rules.  Raises SpecError, naming it, for a visible action that the
    adapter does not know, or that has the name of a method of the machine.
    """
    known = [models] if isinstance(models, Model) else list(models)
    spec = known[0].spec
    visible = [name for name in spec.actions if name not in by_itself(known[0])]
    grounds = st.sampled_from([ModelContext(model) for model in known])
    own = beginning(grounds if more is None else grounds | more.map(partial(ModelContext, searched=False)))
    if taken := [name for name in visible if name in own or hasattr(base, name)]:
        raise SpecError(f"{spec.name}.{taken[0]}: machines have something of that name")
    with closing(make(known[0].k, ignored)) as adapter:
        demand(adapter, known[0])
    rules = own | {name: asking(name) for name in visible}
    return type(f"{spec.name.title()}Machine", (base,), {"make": staticmethod(make), **rules})


def beginning(grounds: st.SearchStrategy[ModelContext]) -> dict[str, Callable[..., None]]:
    """The rules that begin every example, and may begin it again with a new object of the same kind."""
    ground = st.shared(grounds)
    moves = ground.flatmap(lambda ground: schedules(ground.races))

    @initialize(ground=ground, moves=moves)
    def begin(self: SpecMachine, ground: ModelContext, moves: Schedule) -> None:
        self.set_up(ground)
        self.steer(moves)

    @rule(moves=moves)
    def begin_again(self: SpecMachine, moves: Schedule) -> None:
        self.tear_down()
        self.set_up(self.ground)
        self.steer(moves)

    return {"begin": begin, "begin_again": begin_again}


def asking(name: str) -> Callable[..., None]:
    """The rule of the action of that name."""

    def ask(self: SpecMachine, args: Args) -> None:
        self.ask(Event(name, args))

    ask.__name__ = name  # as reports print it
    allowed = st.runner().flatmap(lambda self: st.sampled_from(self.choices[name]))
    return precondition(lambda self: name in self.choices)(rule(args=allowed)(ask))


def demand(adapter: Adapter, model: Model[Any, Any]) -> None:
    """Raises SpecError if `adapter` does not know one of the visible actions."""
    for action in model.spec.actions.values():
        if not action.hidden and not adapter.knows(action.name):
            raise SpecError(
                f"{model.spec.name}.{action.name}: the adapter does not know this action: give it a method of that"
                " name, or declare hidden=True what happens by itself"
            )


def ignored(line: Line) -> None:
    """Records nothing."""
