"""The population of a bounded model: its states, and the elements of each type that occur in them.

A proof speaks of values that are those of the universe, or further ones that the specification names.  A model with
others is not covered by it, and is refused.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Any

from ..core import Map
from ..model import Model
from ..render.infer import hints, is_record
from .case import Case
from .sorts import declared

# Any below: constants, states and values of any specification, and types as `typing` gives them.

#: Numbers that are no further from one that occurs are elements of sets of numbers, too.
NEAR = 4


class Population:
    """The states of a model, at most so many, and the elements of the NewTypes, and of int, in the order of their size.

    `others`: constants of other models.  Raises Untranslatable for a value that is not in the universe of its type.
    """

    def __init__(self, case: Case, model: Model[Any, Any], others: Sequence[Any], most: int) -> None:
        self.spec, self.states = case.spec, reachable(model, most)
        found: dict[Any, dict[Any, None]] = {int: dict.fromkeys(range(4))}
        for of, domain in model.domains.items():
            found.setdefault(of, {}).update(dict.fromkeys(domain))
        for k in (model.k, *others):
            for _, of, value in self._fields([k]):
                found.setdefault(of, {})[value] = None
        known = {of: self._universe(of, (model.k, *others)) for of in case.spec.universe}
        for name, of, value in self._fields(self.states):
            found.setdefault(of, {})[value] = None
            if of in known and of not in (*case.spec.numbers, int) and value not in known[of]:
                why = f"{value!r} is neither in {case.spec.universe[of]} of the constants nor named beside it: "
                raise declared(case.spec.state, name, why + "name a further value in the `universe`")
        numbers = {near for n in found.pop(int) for near in range(n - NEAR, n + NEAR + 1)}
        self.elements: dict[Any, list[Any]] = {of: sorted(values) for of, values in found.items()}
        self.elements[int] = sorted(numbers)

    def _universe(self, of: Any, constants: Sequence[Any]) -> set[Any]:
        """The values of a type that a proof speaks of."""
        domain, *others = self.spec.universe[of].split()
        found = {value for k in constants for value in (*getattr(k, domain), *(getattr(k, n) for n in others))}
        if any(not getattr(k, domain) for k in constants) and of not in (*self.spec.numbers, int):
            raise declared(type(constants[0]), domain, "it is empty, and a proof is of one element or more")
        return found

    def _fields(self, records: Iterable[Any]) -> Iterator[tuple[str, Any, Any]]:
        """The scalars in the fields of records: field, type, value."""
        seen: dict[str, set[Any]] = {}
        for record in records:
            types: Any = type(record)
            for name, of in hints(types).items():
                value = getattr(record, name)
                if value not in seen.setdefault(name, set()):
                    seen[name].add(value)
                    yield from ((name, *each) for each in self._scalars(of, value))

    def _scalars(self, of: Any, value: Any) -> Iterator[tuple[Any, Any]]:
        origin, args = typing.get_origin(of), typing.get_args(of)
        if is_record(of):
            yield from (each[1:] for each in self._fields([value]))
        elif origin is Map:
            for key, item in value.items():
                yield from self._scalars(args[0], key)
                yield from self._scalars(args[1], item)
        elif origin in (frozenset, tuple):
            types = [args[0]] * len(value) if origin is frozenset or args[-1] is ... else args
            for part, x in zip(types, sorted(value, key=str) if origin is frozenset else value, strict=True):
                yield from self._scalars(part, x)
        elif not (isinstance(of, type) and issubclass(of, Enum)) and of is not bool:
            yield (int if of in self.spec.numbers else of), value


def reachable(model: Model[Any, Any], most: int) -> list[Any]:
    """The states of a model in the order of a search, at most so many."""
    found = dict.fromkeys(model.init)
    todo = list(found)
    for s in todo:
        for event, t in model.successors(s):
            model.refuse(t, event, s)
            if t not in found and len(todo) < most:
                found[t] = None
                todo.append(t)
    return todo
