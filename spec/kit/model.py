"""A finite model of a specification: the one oracle for all readers.

A `Model` binds a specification to constants, initial states and a finite domain for every parameter type of its
actions.  "Which steps are allowed here?" and "which properties are broken here?" are answered here, and nowhere else:
checker, monitor, refinement and test machines all use a model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Generic

from .contents import accepts, contents, unfit, written
from .core import Event, K, Named, S, Spec, SpecError, truth, twice
from .frame import allowed, frame


@dataclass(repr=False)
class Model(Generic[K, S]):
    """Constants, initial states, and a domain for every parameter type of the actions.

    `canon`, if given, maps a state to the representative of its class under a symmetry of the model, and the search
    visits representatives only: it is sound if every action and property is symmetric too.
    Raises SpecError if constants or initial states are not as the specification assumes, or if a domain is missing or
    is not the `universe` of the specification.
    """

    spec: Spec[K, S]
    k: K
    init: tuple[S, ...]
    domains: Mapping[object, Iterable[Hashable]]
    canon: Callable[[S], S] | None = None

    def __post_init__(self) -> None:
        self._take_values()
        bad = [a.name for a in self.spec.assumes.values() if not self.holds(a)]
        bad += [i.name for i in self.spec.inits.values() if not all(self.holds(i, s) for s in self.init)]
        if bad:
            raise SpecError(f"{self.spec.name}: constants or initial states break {', '.join(bad)}")
        if not self.init:
            raise SpecError(f"{self.spec.name}: the model has no initial state")
        for of, names in self.spec.universe.items():
            values = getattr(self.k, names.split()[0])
            if of in self.domains and frozenset(self.domains[of]) != values:
                raise SpecError(f"{self.spec.name}: the domain of {of} is not {names.split()[0]} of the constants")
        actions = self.spec.actions.values()
        self._events = [(action.fn, self._instances(action)) for action in actions]
        self.events: tuple[Event, ...] = tuple(event for _, events in self._events for event in events)
        self._steps = [p for p in self.spec.steps.values() if not p.of]
        self._steps_of = {action.name: list(self._special(action)) for action in actions}
        #: The actions that must be possible somewhere, each with its events: `refused` asks for them.
        self.demands = [
            (allowed(action), events)
            for action, (_, events) in zip(actions, self._events, strict=True)
            if action.whenever
        ]

    def _take_values(self) -> None:
        """Look at constants, initial states and domains.  Raises SpecError for a value that its type does not have."""
        if why := unfit(self.k):
            raise SpecError(f"{self.spec.name}: the constants: {why}").at(type(self.k))
        for s in self.init:
            self.refuse(s, "an initial state")
        for of, values in self.domains.items():
            try:
                fits = accepts(of, "a domain")
            except SpecError:  # a type that says nothing
                continue
            if wrong := [value for value in values if not fits(value)]:
                raise SpecError(f"{self.spec.name}: the domain of {written(of)} has {wrong[0]!r}, which is none")

    def refuse(self, t: Any, origin: object, s: Any = None) -> None:
        """Raise SpecError for a state of another type, or one with a value that it cannot have.

        `origin`: the event or place that it comes from.  `s`: the state before it, which was looked at.
        """
        kind, why = self.spec.state, ""
        if not isinstance(t, kind):
            why = f"{t!r} is no {kind.__name__}"
        elif wrong := contents(type(t)).wrong(t, s):
            why = wrong
        if why:
            place = self.spec.actions[origin.name].fn if isinstance(origin, Event) else kind
            raise SpecError(f"{self.spec.name}: {origin}: {why}").at(place)

    def holds(self, item: Named, *states: S) -> bool:
        """Whether a condition on the constants or on a state holds."""
        return truth(item.fn, twice(item.fn, self.k, *states))

    def __repr__(self) -> str:
        return f"<model of {self.spec.name}: {self.k}>"

    @property
    def original(self) -> Spec[Any, Any]:
        """The specification that this is a model of; a filter (`fifo.py`) has a derived one as `spec`."""
        return self.spec

    def over(self, spec: Spec[Any, Any]) -> Model[Any, Any]:
        """The same model of another specification, with the same states."""
        return replace(self, spec=spec)

    def _instances(self, action: Named) -> list[Event]:
        if missing := [t for t in action.params if t not in self.domains]:
            raise SpecError(f"{self.spec.name}.{action.name}: the model has no domain for {missing[0]}")
        return [Event(action.name, args) for args in product(*(self.domains[t] for t in action.params))]

    def successors(self, s: S) -> Iterator[tuple[Event, S]]:
        """Every step that the specification allows from `s`; the same state may come more than once.

        An exception of an action is raised with a note of the event and the state.
        """
        event: Event | None = None
        try:
            for fn, events in self._events:
                for event in events:
                    for t in fn(self.k, s, *event.args):
                        yield event, t
        except Exception as error:
            error.add_note(f"in {event} from the state {s}")
            raise

    def after(self, s: S, event: Event) -> list[S]:
        """The states that the specification allows after `event`; empty if the event is not allowed in `s`."""
        return list(self.spec.actions[event.name].fn(self.k, s, *event.args))

    def allows(self, s: S, event: Event) -> bool:
        """Whether `event` is allowed in `s`."""
        for _ in self.spec.actions[event.name].fn(self.k, s, *event.args):
            return True
        return False

    def enabled(self, s: S) -> list[Event]:
        """The events that are allowed in `s`, each once, in the order of the specification."""
        return list(dict.fromkeys(event for event, _ in self.successors(s)))

    def _special(self, action: Named) -> Iterator[Named]:
        """The step properties of one action, and its frame."""
        yield from (p for p in self.spec.steps.values() if action.rule in p.of)
        if action.changes is not None:
            yield frame(action, self.spec.field_names)

    def refused(self, s: S, happened: Collection[Event]) -> tuple[Named, Event] | None:
        """An event that must be possible in `s`, but is not among those that are, and the rule that says so."""
        return next(
            (
                (rule, event)
                for rule, events in self.demands
                for event in events
                if event not in happened and not truth(rule.fn, rule.fn(self.k, s, *event.args))
            ),
            None,
        )

    def broken(self, s: S, t: S | None = None, event: Event | None = None, *, again: bool = False) -> list[Named]:
        """The invariants that `s` breaks or, with `t`, the step properties that the step from `s` to `t` breaks.

        `event`: the step's; without it the properties of single actions are left out.  `again`: only those are asked.
        An exception of a property is raised with a note of the state or states.
        """
        try:
            if t is None:
                return false_of(self.spec.invariants.values(), self.k, s)
            found = [] if again else false_of(self._steps, self.k, s, t)
            if event is not None:
                found += false_of(self._steps_of[event.name], self.k, s, t, *event.args)
            return found
        except Exception as error:
            error.add_note(f"in the state {s}" + ("" if t is None else f", with the next one {t}"))
            raise


def false_of(items: Iterable[Named], *args: Any) -> list[Named]:
    """The properties that are false of these arguments.  Raises SpecError for one that is neither true nor false."""
    return [p for p in items if (value := p.fn(*args)) is not True and not truth(p.fn, value)]
