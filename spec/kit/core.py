"""The parts of a specification: immutable maps, events, named rules, and the specification that registers them.

A `Spec` is a set of registries that decorators fill; it runs nothing (`model.py` does).  Every registered function has
a docstring that begins with a rule identifier, because a rule without a name can be neither cited nor retired, and that
ends with its source and standing.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property, lru_cache
from types import FunctionType, GeneratorType, MethodType
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    NamedTuple,
    NoReturn,
    ParamSpec,
    TypeAlias,
    TypeVar,
    get_type_hints,
)

K = TypeVar("K")
S = TypeVar("S", bound=Hashable)
P = ParamSpec("P")
Action = Callable[Concatenate[K, S, P], Iterator[S]]
Property = TypeVar("Property", bound=Callable[..., bool])
Table: TypeAlias = "dict[str, Named]"
#: The result that the step from s to t delivers to the caller of an action: none yet (), or x as (x,).  The parameters
#: after k, s and t are the action's own, which the type cannot say.
Answer: TypeAlias = Callable[..., tuple[Hashable, ...]]
#: The form of a rule's identifier.
IDENTIFIER = r"[A-Z][A-Z0-9_]*-[0-9]+"
#: The flags of a function that is written with `async`.
ASYNC = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
RULE = re.compile(rf"({IDENTIFIER}): \S")


class SpecError(ValueError):
    """A specification, or a finite model of one, is not well formed; the text names the error and its place.

    `place`: the file and line of the function or class at fault, if they are known.
    """

    place: tuple[str, int] | None = None

    def at(self, of: Callable[..., Any] | type) -> SpecError:
        """The same error, with the place of a function or class."""
        try:
            if isinstance(of, type):
                self.place = inspect.getfile(of), inspect.getsourcelines(of)[1]
            else:
                code = inspect.unwrap(of).__code__
                self.place = code.co_filename, code.co_firstlineno
        except (OSError, TypeError, AttributeError):  # made by exec, or a callable object
            pass
        return self


if TYPE_CHECKING:  # a type checker knows which changes this one takes
    from dataclasses import replace as replace
else:

    def replace(s: S, /, **changes: object) -> S:
        """`s`, a frozen dataclass without slots, with other values of some fields: as `dataclasses.replace`, but fast.

        Actions make their states by it: it takes a sixth of the time.  `__post_init__` is not run.
        Raises TypeError for a name that is not a field.
        """
        values = {**vars(s), **changes}
        if len(values) != len(vars(s)):
            raise TypeError(f"{type(s).__name__} has no field {next(n for n in changes if n not in vars(s))!r}")
        new = object.__new__(type(s))
        object.__setattr__(new, "__dict__", values)  # as a dict of its own: attributes are read fast from it
        return new


class Event(NamedTuple):
    """One action with its parameters."""

    name: str
    args: tuple[Hashable, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.args))})"


@dataclass(frozen=True)
class Named:
    """A registered function; `rule` is the identifier that its docstring begins with.

    An action may be `fair` (it cannot stay enabled for ever without happening) and `hidden` (no caller sees it); its
    `answer` is the result that it delivers to its caller, the first of its parameters; `changes` and `whenever` are
    explained in `frame.py`.  `trigger`: of a leads-to property, the condition that leads to it; `rank` and `by` say why
    (`ranks.py`).  `of`: of a step property, the rules of the actions with the steps that it is about; none: all.
    """

    fn: Callable[..., Any]  # Any: the kinds differ in signature, and each decorator of Spec checks its own
    rule: str
    fair: bool = False
    hidden: bool = False
    answer: Answer | None = None
    trigger: Callable[..., bool] | None = None
    changes: str | None = None
    whenever: Callable[..., bool] | None = None
    of: tuple[str, ...] = ()
    rank: Callable[..., int] | None = None
    by: tuple[tuple[str, Callable[..., bool]], ...] = ()

    @property
    def name(self) -> str:
        return self.fn.__name__

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.fn) or ""

    @property
    def reasons(self) -> tuple[Callable[..., Any], ...]:
        """The functions of a leads-to property: the trigger, the rank, and when each action of `by` lowers it."""
        found = (self.trigger, self.rank, *(when for _, when in self.by))
        return tuple(dict.fromkeys(fn for fn in found if fn is not None))

    @cached_property
    def params(self) -> tuple[object, ...]:
        """The types of the parameters after `k` and `s`: a model has a domain for each of them."""
        return _parameters(self.fn)


@lru_cache(maxsize=1024)
def _parameters(fn: Callable[..., Any]) -> tuple[object, ...]:
    """The types of the parameters after the first two; hundreds of specifications share a function.

    Raises SpecError if a parameter has no type.
    """
    hints = get_type_hints(fn)
    names = list(inspect.signature(fn).parameters)[2:]
    if untyped := [name for name in names if name not in hints]:
        raise SpecError(f"{fn.__name__}: the parameter {untyped[0]} has no type, and so no domain")
    return tuple(hints[name] for name in names)


def truth(fn: Callable[..., Any], value: object) -> bool:
    """The value that a property, a condition or a trigger gave: a generator or a tuple would pass for true.

    Raises:
        SpecError: it is neither True nor False.
    """
    if value is True or value is False:
        return value
    kind = type(value)
    name, a = getattr(fn, "__name__", "a condition"), "an" if kind.__name__[0] in "aeiou" else "a"
    raise SpecError(
        f"{name} gives {'None' if value is None else f'{a} {kind.__name__}'}, and not True or False:"
        f" {HINTS.get(kind, 'write bool(...) around it, if that is meant')}"
    ).at(fn)


def twice(fn: Callable[..., Any], *args: Any) -> Any:
    """The value of a function, which is asked for it twice.

    Raises:
        SpecError: it gives two values: it draws, counts or takes from an iterator.
    """
    if (value := fn(*args)) != fn(*args) and type(value) not in HINTS:  # `truth` says more of those
        raise SpecError(f"{Event(fn.__name__, args)} {UNSTEADY}").at(fn)
    return value


#: The message for a function with two values.
UNSTEADY = "has another value the second time: make all that it depends on a field of the state or of the constants"
#: How a value that is no bool mostly comes about.
HINTS: Mapping[type, str] = {
    type(None): "it lacks a return",
    tuple: "leave out the comma at the end",
    GeneratorType: "write all(...) or any(...) around it",
    MethodType: "call it, with parentheses",
    FunctionType: "call it, with parentheses",
}


@dataclass
class Spec(Generic[K, S]):
    """A specification with constants of type `K` and states of type `S`, a frozen dataclass.

    `extends` inherits everything that is registered there by now, except the names in `without`: so a derived
    specification can replace an inherited action or property by its own.
    `opaque` opts helper functions out of the subset that other readers follow: their names, each with the reason.
    `laws` says what is true of opaque helpers, for the proofs: a function, in the subset, of the helper's parameters
    and its result; it holds for every value of the parameters that follow, and is used for the fields of that name.
    `universe`: for a type, the field of the constants that has its values, so that models and proofs have one domain;
    names after the first, separated by blanks, are of further values that no parameter has.  `numbers`: the types
    of values that are counted with; those of any other NewType are only compared.
    Raises SpecError for a state that is not a frozen dataclass and for a name in `without` that is not inherited.
    """

    name: str
    state: type[S]
    extends: Spec[K, S] | None = None
    without: Collection[str] = ()
    opaque: Mapping[str, str] = field(default_factory=dict)
    laws: Mapping[str, Callable[..., bool]] = field(default_factory=dict)
    universe: Mapping[object, str] = field(default_factory=dict)
    numbers: Collection[object] = ()
    actions: Table = field(init=False, default_factory=dict)
    invariants: Table = field(init=False, default_factory=dict)
    steps: Table = field(init=False, default_factory=dict)
    progress: Table = field(init=False, default_factory=dict)
    assumes: Table = field(init=False, default_factory=dict)
    inits: Table = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        frozen = getattr(getattr(self.state, "__dataclass_params__", None), "frozen", False)
        if not is_dataclass(self.state) or not frozen:
            raise SpecError(f"{self.name}: the state {self.state.__name__} must be a frozen dataclass")
        self.field_names: tuple[str, ...] = tuple(f.name for f in fields(self.state))
        inherited = self.extends.tables() if self.extends else []
        if self.extends:
            self.opaque = {**self.extends.opaque, **self.opaque}
            self.laws = {**self.extends.laws, **self.laws}
            self.universe = {**self.extends.universe, **self.universe}
            self.numbers = (*self.extends.numbers, *self.numbers)
        if unknown := sorted(set(self.without) - {name for table in inherited for name in table}):
            raise SpecError(f"{self.name}: `without` names {unknown[0]}, which is not inherited")
        for mine, theirs in zip(self.tables(), inherited, strict=False):
            mine.update((name, item) for name, item in theirs.items() if name not in self.without)

    def tables(self) -> list[Table]:
        """Its registries by name: actions, invariants, step and leads-to properties, assumptions, initial states."""
        return [self.actions, self.invariants, self.steps, self.progress, self.assumes, self.inits]

    @property
    def properties(self) -> Table:
        """The properties that a check can find broken: invariants, step properties and leads-to properties."""
        return self.invariants | self.steps | self.progress

    def _add(self, table: Table, fn: Callable[..., Any], **more: Any) -> None:  # Any: the fields of Named
        if not isinstance(fn, FunctionType) or fn.__code__.co_flags & ASYNC:
            kind = "async function" if isinstance(fn, FunctionType) else type(fn).__name__
            raise SpecError(f"{self.name}: {kind} in the place of a function: write def, under no other decorator")
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
        table[fn.__name__] = Named(fn, match[1], **more)

    def action(
        self,
        fn: None = None,
        /,
        *,
        fair: bool = False,
        hidden: bool = False,
        answer: Answer | None = None,
        changes: str | None = None,
        whenever: Callable[..., bool] | None = None,
    ) -> Callable[[Action[K, S, P]], Action[K, S, P]]:
        """Register `(k, s, *params) -> Iterator[S]`: every state it yields is one allowed successor of `s`.

        `changes`: the fields that a step may change, such as "at[t] line"; `whenever`: where it must be possible.

        Raises:
            SpecError: it was written without its parentheses, or replaces an action that a step property is about.
        """
        if fn is not None:
            raise SpecError(f"{self.name}: write @{self.name}.action(), with parentheses")

        def register(fn: Action[K, S, P]) -> Action[K, S, P]:
            self._add(self.actions, fn, fair=fair, hidden=hidden, answer=answer, changes=changes, whenever=whenever)
            self._replaces(self.actions[fn.__name__])
            return fn

        return register

    def _replaces(self, action: Named) -> None:
        """Raise SpecError if an inherited step property speaks of the action that this one replaces, by its rule."""
        rule = (self.extends.actions if self.extends else {}).get(action.name, action).rule
        if rule != action.rule and (lost := [p.name for p in self.steps.values() if rule in p.of]):
            raise SpecError(
                f"{self.name}: {lost[0]} speaks of the steps of {rule}, which {action.name} ({action.rule}) replaces:"
                f" begin its docstring with {rule}, or leave out {lost[0]}"
            ).at(action.fn)

    def invariant(self, fn: Callable[[K, S], bool]) -> Callable[[K, S], bool]:
        """Register a property of every reachable state."""
        self._add(self.invariants, fn)
        return fn

    def step(self, fn: Callable[[K, S, S], bool]) -> Callable[[K, S, S], bool]:
        """Register a property of every step, from `s` to `t`."""
        self._add(self.steps, fn)
        return fn

    def step_of(self, *actions: Callable[..., Iterator[S]]) -> Callable[[Property], Property]:
        """Register a property of every step of these actions: `(k, s, t, *params) -> bool`, with their parameters.

        Raises:
            SpecError: one of them is not registered.
        """
        rules = {item.fn: item.rule for item in self.actions.values()}
        if missing := [fn.__name__ for fn in actions if fn not in rules]:
            raise SpecError(f"{self.name} has no action {missing[0]}, of whose steps a property speaks")

        def register(fn: Property) -> Property:
            self._add(self.steps, fn, of=tuple(rules[action] for action in actions))
            return fn

        return register

    def leads_to(
        self,
        trigger: Callable[Concatenate[K, S, P], bool],
        *,
        rank: Callable[Concatenate[K, S, P], int] | None = None,
        by: Mapping[str, Callable[Concatenate[K, S, P], bool]] | None = None,
    ) -> Callable[[Callable[Concatenate[K, S, P], bool]], Callable[Concatenate[K, S, P], bool]]:
        """Register that whenever `trigger` holds, the property holds then or later (TLA+'s leads-to).

        All may take parameters after `k` and `s`: then it holds for every value of their domains.  `rank` says why it
        holds: a natural number that no step raises until the property holds.  `by` has, for each fair action that
        lowers it, the condition under which the event of that action with the same parameters does; without `by`,
        every step lowers it (`ranks.py`).
        Raises SpecError for `by` without a rank, and for an action in `by` that is not fair, not there, or has other
        parameters.
        """
        if by and rank is None:
            raise SpecError(f"{self.name}: `by` says what lowers a rank, and there is no rank")
        if lacking := [name for name in by or {} if name not in self.actions or not self.actions[name].fair]:
            raise SpecError(f"{self.name}: `by` names {lacking[0]}, which is no fair action")

        def register(fn: Callable[Concatenate[K, S, P], bool]) -> Callable[Concatenate[K, S, P], bool]:
            self._add(self.progress, fn, trigger=trigger, rank=rank, by=tuple((by or {}).items()))
            params = self.progress[fn.__name__].params
            if different := [name for name in by or {} if self.actions[name].params != params]:
                raise SpecError(f"{self.name}.{fn.__name__}: {different[0]} has other parameters")
            return fn

        return register

    def assume(self, fn: Callable[[K], bool]) -> Callable[[K], bool]:
        """Register a condition on the constants of every model (TLA+'s ASSUME)."""
        self._add(self.assumes, fn)
        return fn

    def init(self, fn: Callable[[K, S], bool]) -> Callable[[K, S], bool]:
        """Register a condition on every initial state (TLA+'s Init)."""
        self._add(self.inits, fn)
        return fn


A = TypeVar("A", bound=Hashable)
V = TypeVar("V")


class Map(dict[A, V]):
    """An immutable total function on a finite domain; `m | {x: v}` is `m` with `v` at `x`.

    Equal maps have equal hashes, whatever the order of insertion.  Every method that would change it raises TypeError.
    """

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:  # type: ignore[override]  # dict has None here: an immutable dict can be hashed
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def __or__(self, other: Mapping[A, V]) -> Map[A, V]:  # type: ignore[override]  # a Map, not a dict
        new = Map(self)
        dict.update(new, other)
        return new

    def __reduce__(self) -> tuple[type[Map[A, V]], tuple[dict[A, V]]]:
        return Map, (dict(self),)  # the default would copy item by item, through __setitem__

    def _immutable(self, *args: object, **kwargs: object) -> NoReturn:
        """Refuse to change the map.

        Raises:
            TypeError: always.
        """
        raise TypeError("a Map is immutable: write m | {key: value}")

    __setitem__ = __delitem__ = __ior__ = _immutable
    clear = pop = popitem = setdefault = update = _immutable
