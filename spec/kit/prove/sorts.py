"""The types of a specification as sorts of Z3, and constants of these types.

A NewType of int is a sort of its own, of any number of elements, unless the specification says that its values are
`numbers`.  Where elements are given the sort has exactly those: few, to find a counterexample (`few.py`), or those of a
finite model, to compare this translation with Python.
"""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import re
import typing
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum, Flag
from typing import Any, NewType

from ..contents import written
from ..core import Map
from ..render.infer import hints, is_record
from ..render.source import Untranslatable
from . import solver as z
from .values import EMPTY, Fun, Rec, Unreadable, Value, eq, ite

# Any below: types as `typing` gives them, and values of any of them.

#: With few elements, a set of numbers has some of these, and a map of numbers other values at these only.
FEW_NUMBERS = range(4)
#: A set of numbers that was changed as a whole is looked up at these.
MORE_NUMBERS = range(-8, 16)
#: With few elements, a sequence of a state is no longer than this.
FEW_ITEMS = 3


class Sorts:
    """The sorts of one specification.

    `numbers`: the NewTypes with values that are counted with.  `elements`: for each other NewType its elements, and for
    int the numbers that occur; or how many elements each has; None or 0: any number.  `written_out`: quantifiers over
    given elements become conjunctions.  `partial`: of some sets or maps only a few numbers were seen.
    """

    def __init__(
        self,
        numbers: Collection[object] = (),
        elements: Mapping[object, Sequence[Any]] | int = 0,
        *,
        written_out: bool = True,
    ) -> None:
        self.numbers, self.written_out = frozenset(numbers), written_out
        self.few = elements if isinstance(elements, int) else 0
        self.partial = False
        self._elements = {} if isinstance(elements, int) else elements

    @property
    def finite(self) -> bool:
        """Whether every NewType has elements that are given."""
        return bool(self.few or self._elements)

    def elements(self, of: Any) -> Sequence[Any] | None:
        """The values of a type, if it has few."""
        if of is bool:
            return (False, True)
        if isinstance(of, type) and issubclass(of, Enum):
            return list(of)
        return self._elements.get(of) or range(self.few) or None

    def of(self, of: Any) -> z.Sort:
        """The sort of a scalar or a sequence.  Raises Unreadable for another type."""
        if typing.get_origin(of) is tuple and typing.get_args(of)[1:] == (...,):
            return z.sequence_of(self.of(typing.get_args(of)[0]))
        if of is bool:
            return z.BOOL
        if of is int or of in self.numbers:
            return z.INT
        if is_enum(of):
            return self._enumeration(of)[0]
        if not isinstance(of, NewType) or plain(of) not in (int, str):
            raise Unreadable(f"the type {written(of)} is not read: {TYPES}")
        return z.sort(of.__name__) if self.elements(of) is None else self._enumeration(of)[0]

    @property
    def counted(self) -> Sequence[int]:
        """The numbers that are elements where sets of numbers are finite."""
        return self._elements.get(int, MORE_NUMBERS)

    def _enumeration(self, of: Any) -> tuple[z.Sort, tuple[z.Term, ...]]:
        values = self.elements(of) or ()
        if isinstance(of, type):
            return z.enumeration(f"{of.__module__}.{of.__qualname__}", tuple(each.name for each in of))  # type: ignore[attr-defined]
        how = "few" if self.written_out else "given"
        name = f"{of.__name__} {how} {' '.join(map(str, values))}"
        return z.enumeration(name, tuple(map(str, values)), written_out=self.written_out)

    def keys(self, of: Any) -> tuple[z.Sort, ...]:
        """The sorts of a key: of each part, if it is a pair."""
        return tuple(self.of(part) for part in key_types(of))

    def points(self, keys: Sequence[z.Sort]) -> list[z.Term] | None:
        """The elements of a set's sort, or None: then a quantifier over it stays one."""
        if not (self.few and z.INT in keys):
            return z.points(keys)
        few = ([*map(z.number, FEW_NUMBERS)] if each == z.INT else z.points([each]) for each in keys)
        return product(few)

    def members(self, keys: Sequence[z.Sort]) -> list[z.Term]:
        """The elements of a set's sort, where these are given, or few."""
        numbers = [*map(z.number, self.counted)]
        found = product(numbers if each == z.INT else z.members([each.name()]) for each in keys)
        assert found is not None
        return found

    def constant(self, of: Any, name: str) -> Value:
        """A constant of that name and type."""
        origin, args = typing.get_origin(of), typing.get_args(of)
        if is_record(of):
            if hasattr(of, "__post_init__"):
                raise declared(of, "__post_init__", "a proof does not run it: leave it out")
            types, fields = hints(of), dataclasses.fields(of)
            return Rec(of, {f.name: self._field(of, f.name, types[f.name], name) for f in fields})
        if origin is frozenset:
            return self._function(args[0], None, name)
        if origin is Map:
            return self._function(args[0], args[1], name)
        return self._short(z.constant(name, self.of(of)))

    def _field(self, record: type, field: str, of: Any, name: str) -> Value:
        try:
            return self.constant(of, f"{name}.{field}")
        except Unreadable as error:
            raise declared(record, field, str(error)) from error

    def _short(self, value: z.Term) -> z.Term:
        return z.first(value, FEW_ITEMS) if self.few and z.is_sequence(value) else value

    def _function(
        self, key: Any, value: Any, name: str, before: tuple[z.Sort, ...] = (), given: tuple[z.Term, ...] = ()
    ) -> Fun:
        """A set, if `value` is None, or a map to values of that type, which may be sets."""
        keys, is_map = self.keys(key), value is not None
        if typing.get_origin(value) is frozenset:
            inner, sorts = typing.get_args(value)[0], (*before, *keys)
            self._function(inner, None, name, sorts)  # its type is refused here, not where it is used

            def at(x: Value) -> Value:
                return self._function(inner, None, name, sorts, (*given, *z.parts(x)))
        else:
            apply = z.function(name, (*before, *keys), self.of(value if is_map else bool))

            def at(x: Value) -> Value:
                return self._short(apply(*given, *z.parts(x)))

        if not (self.few and z.INT in keys):
            return Fun(keys, at, is_map=is_map)
        self.partial = True
        other = self._some(value) if is_map else z.truth(False)
        return Fun(keys, lambda x: ite(self._is_few(keys, x), at(x), other), is_map=is_map)

    def _is_few(self, keys: Sequence[z.Sort], x: Value) -> z.Term:
        """Whether the numbers of a key are few."""
        numbers = [part for part, of in zip(z.parts(x), keys, strict=True) if of == z.INT]
        return z.both(*(z.either(*(z.equal(p, z.number(n)) for n in FEW_NUMBERS)) for p in numbers))

    def _some(self, of: Any) -> Value:
        """A value of that type, the same for all maps: so that maps that are equal at few keys are equal."""
        if typing.get_origin(of) is frozenset:
            return EMPTY
        if typing.get_origin(of) is tuple:
            return z.sequence((), self.of(of))
        return self.literal(of, next(iter(self.elements(of) or (0,))))

    def counts(self, value: Value) -> Iterator[z.Term]:
        """The numbers in a value, over few elements: of a map those at the points, of a sequence the first."""
        if isinstance(value, Rec | tuple):
            for part in value.fields.values() if isinstance(value, Rec) else value:
                yield from self.counts(part)
        elif isinstance(value, Fun):
            for x in (self.points(value.keys) or ()) if value.is_map else ():
                yield from self.counts(value.at(x))
        elif z.is_sequence(value) and value.sort().basis() == z.INT:
            yield from (z.item(value, n) for n in range(FEW_ITEMS))
        elif z.is_number(value):
            yield value

    def literal(self, of: Any, value: Any) -> Value:
        """A value of Python as a value of terms: the inverse of `python`.

        Raises Unreadable for a value of another type.
        """
        origin, args = typing.get_origin(of), typing.get_args(of)
        if origin in (frozenset, Map):
            return self._table(args, value)
        if is_record(of):
            types, fields = hints(of), dataclasses.fields(of)
            return Rec(of, {f.name: self.literal(types[f.name], getattr(value, f.name)) for f in fields})
        if origin is tuple:
            return z.sequence([self.literal(args[0], each) for each in value], self.of(of))
        if of is bool and isinstance(value, bool):
            return z.truth(value)
        if (of is int or of in self.numbers) and isinstance(value, int):
            return z.number(value)
        if of is bool or of is int or value not in (self.elements(of) or ()):
            raise Unreadable(f"{value!r} is no value of {written(of)}: write one, or another type")
        return self._enumeration(of)[1][list(self.elements(of) or ()).index(value)]

    def _key(self, of: Any, key: Any) -> Value:
        """A key of Python as terms."""
        types = key_types(of)
        parts = zip(types, key if len(types) > 1 else (key,), strict=True)
        return z.joined([self.literal(part, x) for part, x in parts])

    def _table(self, args: tuple[Any, ...], value: Any) -> Fun:
        """A set or a map as a function, which says nothing of keys that the map does not have."""
        key, of = args if len(args) == 2 else (args[0], None)
        points = [(at, self._key(key, at)) for at in sorted(value, key=str)]
        rows = [(x, z.truth(True) if of is None else self.literal(of, value[at])) for at, x in points]

        def look(x: Value) -> Value:
            found = z.truth(False) if of is None else rows[-1][1] if rows else self._some(of)
            for term, result in rows:
                found = ite(eq(x, term), result, found)
            return found

        return Fun(self.keys(key), look, is_map=of is not None)

    def equals(self, of: Any, term: Value, value: Any) -> z.Term:
        """Whether a term is this value of Python; a map says nothing of keys that it does not have."""
        if is_record(of):
            types = hints(of)
            return z.both(*(self.equals(types[n], x, getattr(value, n)) for n, x in term.fields.items()))
        if typing.get_origin(of) is Map:
            key, result = typing.get_args(of)
            return z.both(*(self.equals(result, term.of(self._key(key, x)), y) for x, y in value.items()))
        return eq(term, self.literal(of, value))

    def python(self, of: Any, value: Value, model: z.SolverModel) -> Any:
        """The value that a model gives to a value of that type."""
        origin, args = typing.get_origin(of), typing.get_args(of)
        if is_record(of):
            types = hints(of)
            return of(**{name: self.python(types[name], part, model) for name, part in value.fields.items()})
        if origin in (frozenset, Map):
            numbers = FEW_NUMBERS if origin is Map else MORE_NUMBERS
            points = list(itertools.product(*(self._of_type(part, numbers) for part in key_types(args[0]))))
            for key in value.touched:
                parts = zip(key_types(args[0]), z.parts(key), strict=True)
                points.append(tuple((self._named(part, model.value(x)), x) for part, x in parts))
            table = {
                z.joined([py for py, _ in point]): value.at(z.joined([term for _, term in point])) for point in points
            }
            if origin is frozenset:
                return frozenset(key for key, term in table.items() if model.value(term))
            return Map({key: self.python(args[1], term, model) for key, term in table.items()})
        return self._named(of, model.value(value))

    def _of_type(self, of: Any, numbers: Sequence[int]) -> list[tuple[Any, z.Term]]:
        values = numbers if of in self.numbers or of is int else self.elements(of) or ()
        return [(value, self.literal(of, value)) for value in values]

    def _named(self, of: Any, value: Any) -> Any:
        """The element of that name."""
        if args := typing.get_args(of):
            return tuple(self._named(args[0], each) for each in value)
        if isinstance(of, type) and issubclass(of, Enum):
            return of[value]
        return value if of in (int, bool) or of in self.numbers else int(value)


def product(parts: Iterable[Sequence[z.Term] | None]) -> list[z.Term] | None:
    """The keys of these parts; None if those of a part are not given."""
    given = list(parts)
    if not all(given):
        return None
    return [z.joined(point) for point in itertools.product(*(each for each in given if each))]


#: The types that are read.
TYPES = "write bool, int, an Enum, a NewType of int, a tuple[X, ...], frozenset or Map of those, or a frozen dataclass"


def is_enum(of: Any) -> bool:
    """Whether it is an enum with members that are equal only to themselves."""
    known = (object.__eq__, int.__eq__, str.__eq__)
    return isinstance(of, type) and issubclass(of, Enum) and not issubclass(of, Flag) and of.__eq__ in known


def plain(of: Any) -> Any:
    """The type that a NewType is one of."""
    while isinstance(of, NewType):
        of = of.__supertype__
    return of


def declared(record: type, field: str, why: str) -> Untranslatable:
    """The error that a field of a record is declared so."""
    lines, first = inspect.getsourcelines(record)
    at = next((n for n, line in enumerate(lines, first) if re.match(rf"\s*{field}\s*:", line)), first)
    return Untranslatable(f"{inspect.getsourcefile(record)}:{at}: {record.__name__}.{field}: {why}")


def key_types(of: Any) -> tuple[Any, ...]:
    """The types of the parts of a key."""
    return typing.get_args(of) if typing.get_origin(of) is tuple else (of,)
