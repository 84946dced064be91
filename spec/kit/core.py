"""What a specification is made of: named rules, the specification, its finite models.

Theory of operation.  A `Spec` is a set of registries that decorators fill; it runs nothing.  A `Model` binds it to
constants, initial states and a finite domain for every parameter type of its actions; it is the one oracle ("what may
happen next?", "what is broken here?") that checker, monitor and test machines ask.  Every registered object carries a
docstring that begins with a rule identifier, because a rule that nobody can name can be neither cited nor retired.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from itertools import product
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, TypeAlias, TypeVar, get_type_hints

K = TypeVar("K")
S = TypeVar("S", bound=Hashable)
P = ParamSpec("P")
Action = Callable[Concatenate[K, S, P], Iterator[S]]
Table: TypeAlias = "dict[str, Named]"
RULE = re.compile(r"([A-Z][A-Z0-9_]*-[0-9]+): \S")


class SpecError(ValueError):
    """A specification, or a finite model of one, that is not well formed; says what is wrong and where."""


class Event(NamedTuple):
    """One action with its parameters."""

    name: str
    args: tuple[Hashable, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.args))})"


@dataclass(frozen=True)
class Named:
    """A registered object; `rule` is the identifier that its docstring begins with.

    An action may be `fair` (it cannot stay enabled for ever without happening) and `hidden` (no caller sees it).
    """

    fn: Callable[..., Any]  # Any: the kinds differ in signature, and each decorator of Spec checks its own
    rule: str
    fair: bool = False
    hidden: bool = False

    @property
    def name(self) -> str:
        return self.fn.__name__

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.fn) or ""

    @cached_property
    def params(self) -> tuple[object, ...]:
        """The types of the parameters after `k` and `s`: a model has a domain for each of them."""
        hints = get_type_hints(self.fn)
        return tuple(hints[name] for name in list(inspect.signature(self.fn).parameters)[2:])


@dataclass
class Spec(Generic[K, S]):
    """A specification with constants of type `K` and states of type `S`, a frozen dataclass.

    `extends` inherits everything that is registered there by now, but what `without` names: so a derived
    specification can put its own action or property in the place of an inherited one.
    Raises SpecError for a state that is no frozen dataclass and for a name in `without` that is not inherited.
    """

    name: str
    state: type[S]
    extends: Spec[K, S] | None = None
    without: Collection[str] = ()
    actions: Table = field(init=False, default_factory=dict)
    invariants: Table = field(init=False, default_factory=dict)
    steps: Table = field(init=False, default_factory=dict)
    assumes: Table = field(init=False, default_factory=dict)
    inits: Table = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        frozen = getattr(getattr(self.state, "__dataclass_params__", None), "frozen", False)
        if not is_dataclass(self.state) or not frozen:
            raise SpecError(f"{self.name}: the state {self.state.__name__} must be a frozen dataclass")
        self.field_names: tuple[str, ...] = tuple(f.name for f in fields(self.state))
        inherited = self.extends.tables() if self.extends else []
        if unknown := sorted(set(self.without) - {name for table in inherited for name in table}):
            raise SpecError(f"{self.name}: `without` names {unknown[0]}, which is not inherited")
        for mine, theirs in zip(self.tables(), inherited, strict=False):
            mine.update((name, item) for name, item in theirs.items() if name not in self.without)

    def tables(self) -> list[Table]:
        return [self.actions, self.invariants, self.steps, self.assumes, self.inits]

    @property
    def properties(self) -> Table:
        """The invariants and the step properties: what a check can find broken."""
        return self.invariants | self.steps

    def _add(self, table: Table, fn: Callable[..., object], fair: bool = False, hidden: bool = False) -> None:
        where = f"{self.name}.{fn.__name__} ({fn.__code__.co_filename}:{fn.__code__.co_firstlineno})"
        match = RULE.match(inspect.getdoc(fn) or "")
        if match is None:
            lacks = "a docstring" if not fn.__doc__ else "a rule identifier"
            raise SpecError(f'{where} lacks {lacks}: begin its docstring as in "QUEUE-1: ..."')
        for item in (item for registered in self.tables() for item in registered.values()):
            if item.name == fn.__name__:
                raise SpecError(f"{where}: the name is taken; to replace it, derive `without` it")
            if item.rule == match[1]:
                raise SpecError(f"{where}: {match[1]} is already the identifier of {item.name}")
        table[fn.__name__] = Named(fn, match[1], fair, hidden)

    def action(
        self, *, fair: bool = False, hidden: bool = False
    ) -> Callable[[Action[K, S, P]], Action[K, S, P]]:
        """Register `(k, s, *params) -> Iterator[S]`: every state it yields is one allowed successor of `s`."""

        def register(fn: Action[K, S, P]) -> Action[K, S, P]:
            self._add(self.actions, fn, fair, hidden)
            return fn

        return register

    def invariant(self, fn: Callable[[K, S], bool]) -> Callable[[K, S], bool]:
        """Register a property of every reachable state."""
        self._add(self.invariants, fn)
        return fn

    def step(self, fn: Callable[[K, S, S], bool]) -> Callable[[K, S, S], bool]:
        """Register a property of every step, from `s` to `t`."""
        self._add(self.steps, fn)
        return fn

    def assume(self, fn: Callable[[K], bool]) -> Callable[[K], bool]:
        """Register what the constants of every model must satisfy (TLA+'s ASSUME)."""
        self._add(self.assumes, fn)
        return fn

    def init(self, fn: Callable[[K, S], bool]) -> Callable[[K, S], bool]:
        """Register what every initial state must satisfy (TLA+'s Init)."""
        self._add(self.inits, fn)
        return fn


@dataclass
class Model(Generic[K, S]):
    """A finite instance: constants, initial states, a domain for every parameter type of the actions.

    `canon`, if given, maps a state to the representative of its class under a symmetry of the model, and the search
    looks at representatives only: it is sound where every action and property is symmetric too.
    Raises SpecError when constants or initial states are not what the text assumes, or a domain is missing.
    """

    spec: Spec[K, S]
    k: K
    init: tuple[S, ...]
    domains: Mapping[object, Iterable[Hashable]]
    canon: Callable[[S], S] | None = None

    def __post_init__(self) -> None:
        bad = [a.name for a in self.spec.assumes.values() if not a.fn(self.k)]
        bad += [i.name for i in self.spec.inits.values() if not all(i.fn(self.k, s) for s in self.init)]
        if bad:
            raise SpecError(f"{self.spec.name}: constants or initial states break {', '.join(bad)}")
        if not self.init:
            raise SpecError(f"{self.spec.name}: the model has no initial state")
        self._events = [(action.fn, self._instances(action)) for action in self.spec.actions.values()]

    def _instances(self, action: Named) -> list[Event]:
        if missing := [t for t in action.params if t not in self.domains]:
            raise SpecError(f"{self.spec.name}.{action.name}: the model has no domain for {missing[0]}")
        return [Event(action.name, args) for args in product(*(self.domains[t] for t in action.params))]

    def successors(self, s: S) -> Iterator[tuple[Event, S]]:
        """Every step that the specification allows from `s`; the same state may come more than once."""
        for fn, events in self._events:
            for event in events:
                for t in fn(self.k, s, *event.args):
                    yield event, t

    def after(self, s: S, event: Event) -> list[S]:
        """The states that the specification allows after `event`; none: the event is not allowed in `s`."""
        return list(self.spec.actions[event.name].fn(self.k, s, *event.args))

    def enabled(self, s: S) -> list[Event]:
        """The events that are allowed in `s`, each once, in the order of the text."""
        return list(dict.fromkeys(event for event, _ in self.successors(s)))

    def broken(self, s: S, t: S | None = None) -> list[Named]:
        """The invariants that `s` breaks or, with `t`, the step properties that the step from `s` to `t` breaks."""
        if t is None:
            return [p for p in self.spec.invariants.values() if not p.fn(self.k, s)]
        return [p for p in self.spec.steps.values() if not p.fn(self.k, s, t)]
