"""The types of a specification as sorts of Z3, and constants of these types.

A NewType of int is a sort of its own, of any number of elements, unless the specification says that its values are
`numbers`.  Where elements are given the sort has exactly those: few, to find a counterexample (`few.py`), or those of a
finite model, to compare this translation with Python.
"""

from __future__ import annotations

import dataclasses
import itertools
import typing
from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import Any

from ..core import Map
from ..render.infer import hints, is_record
from . import solver as z
from .values import Fun, Rec, Value, eq, ite

# Any below: types as `typing` gives them, and values of any of them.

#: With few elements, a set of numbers has some of these.
FEW_NUMBERS = range(4)
#: With few elements, a sequence of a state is no longer than this.
FEW_ITEMS = 3


class Sorts:
    """The sorts of one specification.

    `numbers`: the NewTypes whose values are counted with.  `elements`: for each other NewType its elements, or
    how many each has; None or 0: any number.  `written_out`: quantifiers over given elements become conjunctions.
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
        self._elements = {} if isinstance(elements, int) else elements

    @property
    def finite(self) -> bool:
        """Whether every NewType has elements that are given."""
        return bool(self.few or self._elements)

    def elements(self, of: Any) -> Sequence[Any] | None:
        """The values of a type, if it has few."""
        if isinstance(of, type) and issubclass(of, Enum):
            return list(of)
        return self._elements.get(of) or range(self.few) or None

    def of(self, of: Any) -> z.Sort:
        """The sort of a scalar or a sequence."""
        args = typing.get_args(of)
        if args:
            return z.sequence_of(self.of(args[0]))
        if of is bool:
            return z.BOOL
        if of is int or of in self.numbers:
            return z.INT
        return z.sort(of.__name__) if self.elements(of) is None else self._enumeration(of)[0]

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
        if self.few and tuple(keys) == (z.INT,):
            return [z.number(n) for n in FEW_NUMBERS]
        return z.points(keys)

    def constant(self, of: Any, name: str) -> Value:
        """A constant of that name and type."""
        origin, args = typing.get_origin(of), typing.get_args(of)
        if is_record(of):
            types = hints(of)
            return Rec(
                of,
                {f.name: self.constant(types[f.name], f"{name}.{f.name}") for f in dataclasses.fields(of)},
            )
        if origin is frozenset:
            return self._function(args[0], bool, name)
        if origin is Map:
            return self._function(args[0], args[1], name)
        return self._short(z.constant(name, self.of(of)))

    def _short(self, value: z.Term) -> z.Term:
        return z.first(value, FEW_ITEMS) if self.few and z.is_sequence(value) else value

    def _function(
        self, key: Any, value: Any, name: str, before: tuple[z.Sort, ...] = (), given: tuple[z.Term, ...] = ()
    ) -> Fun:
        keys = self.keys(key)
        if typing.get_origin(value) is frozenset:
            inner = typing.get_args(value)[0]
            sorts = (*before, *keys)
            return Fun(keys, lambda x: self._function(inner, bool, name, sorts, (*given, *z.parts(x))))
        apply = z.function(name, (*before, *keys), self.of(value))
        if self.few and keys == (z.INT,):
            few = [z.number(n) for n in FEW_NUMBERS]
            return Fun(keys, lambda x: z.either(*(z.both(z.equal(x, n), apply(*given, n)) for n in few)))
        return Fun(keys, lambda x: self._short(apply(*given, *z.parts(x))))

    def literal(self, of: Any, value: Any) -> Value:
        """A value of Python as a value of terms: the inverse of `python`."""
        origin, args = typing.get_origin(of), typing.get_args(of)
        if origin in (frozenset, Map):
            return self._table(args, value)
        if is_record(of):
            types = hints(of)
            fields = dataclasses.fields(of)
            return Rec(
                of,
                {f.name: self.literal(types[f.name], getattr(value, f.name)) for f in fields},
            )
        if origin is tuple:
            return z.sequence([self.literal(args[0], each) for each in value], self.of(of))
        if of is bool:
            return z.truth(value)
        if of is int or of in self.numbers:
            return z.number(value)
        return self._enumeration(of)[1][list(self.elements(of) or ()).index(value)]

    def _table(self, args: tuple[Any, ...], value: Any) -> Fun:
        """A set or a map as a function, which says nothing of keys that the map does not have."""
        key, of = args if len(args) == 2 else (args[0], bool)
        points = list(itertools.product(*(self._of_type(part) for part in key_types(key))))
        rows = []
        for point in points:
            at, term = z.joined([py for py, _ in point]), z.joined([term for _, term in point])
            if len(args) == 1:
                rows.append((term, z.truth(at in value)))
            elif at in value:
                rows.append((term, self.literal(of, value[at])))

        def look(x: Value) -> Value:
            found = rows[-1][1] if len(args) == 2 else z.truth(False)
            for term, result in rows:
                found = ite(eq(x, term), result, found)
            return found

        return Fun(self.keys(key), look)

    def python(self, of: Any, value: Value, model: z.Model) -> Any:
        """The value that a model gives to a value of that type."""
        origin, args = typing.get_origin(of), typing.get_args(of)
        if is_record(of):
            types = hints(of)
            return of(**{name: self.python(types[name], part, model) for name, part in value.fields.items()})
        if origin in (frozenset, Map):
            points = itertools.product(*(self._of_type(part) for part in key_types(args[0])))
            table = {
                z.joined([py for py, _ in point]): value.at(z.joined([term for _, term in point]))
                for point in points
            }
            if origin is frozenset:
                return frozenset(key for key, term in table.items() if model.value(term))
            return Map({key: self.python(args[1], term, model) for key, term in table.items()})
        return self._named(of, model.value(value))

    def _of_type(self, of: Any) -> list[tuple[Any, z.Term]]:
        if of in self.numbers or of is int:
            return [(n, z.number(n)) for n in FEW_NUMBERS]
        return list(zip(self.elements(of) or (), self._enumeration(of)[1], strict=True))

    def _named(self, of: Any, value: Any) -> Any:
        """The element of that name."""
        if args := typing.get_args(of):
            return tuple(self._named(args[0], each) for each in value)
        if isinstance(of, type) and issubclass(of, Enum):
            return of[value]
        return value if of in (int, bool) or of in self.numbers else int(value)


def key_types(of: Any) -> tuple[Any, ...]:
    """The types of the parts of a key."""
    return typing.get_args(of) if typing.get_origin(of) is tuple else (of,)
