"""Values of the subset as terms: scalars and sequences are terms, maps and sets are functions, states are records.

A map or a set is a Python function from key terms to a value (`Fun`).  So the state after a step is functions of the
state before it, and needs neither arrays nor a formula for what does not change.  A tuple display is a tuple of values
until it meets a sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from . import solver as z

#: A term, a Fun, a Rec, or a tuple of values.
Value: TypeAlias = Any


@dataclass(frozen=True, eq=False)
class Fun:
    """A total function of keys of these sorts; a set, if its values are truth values.

    `touched`: the keys at which it was changed one by one since the state before the step.  No sorts: the empty set.
    """

    keys: tuple[z.Sort, ...]
    at: Callable[[Value], Value]
    touched: tuple[Value, ...] = field(default=())

    def at_points(self, points: Sequence[tuple[Value, Value]]) -> Fun:
        """The function with other values at these keys."""

        def at(x: Value) -> Value:
            found = self.at(x)
            for key, value in points:
                found = ite(eq(x, key), value, found)
            return found

        return Fun(self.keys, at, (*self.touched, *(key for key, _ in points)))


class Rec:
    """A record: constants or a state, a value for each field of the dataclass `cls`."""

    def __init__(self, cls: type, fields: Mapping[str, Value]) -> None:
        self.cls, self.fields = cls, dict(fields)

    def replace(self, changes: Mapping[str, Value]) -> Rec:
        """The record with other values in some fields."""
        return Rec(self.cls, self.fields | {n: alike(v, self.fields[n])[0] for n, v in changes.items()})


#: The empty set, whatever its elements would be.
EMPTY = Fun((), lambda x: z.truth(False))


def alike(a: Value, b: Value) -> tuple[Value, Value]:
    """Both, where a tuple display beside a sequence is made a sequence, and the empty set gets the other's sorts."""
    if isinstance(a, tuple) and z.is_sequence(b):
        return z.sequence(a, b.sort()), b
    if isinstance(b, tuple) and z.is_sequence(a):
        return a, z.sequence(b, a.sort())
    if isinstance(a, Fun) and isinstance(b, Fun) and a.keys != b.keys:
        keys = a.keys or b.keys
        return Fun(keys, a.at, a.touched), Fun(keys, b.at, b.touched)
    return a, b


def eq(a: Value, b: Value) -> z.Term:
    """Whether two values are equal."""
    a, b = alike(a, b)
    if isinstance(a, Rec):
        return z.both(*(eq(value, b.fields[name]) for name, value in a.fields.items()))
    if isinstance(a, Fun):
        if (points := z.points(a.keys)) is not None:
            return z.both(*(eq(a.at(x), b.at(x)) for x in points))
        x = z.fresh(a.keys)
        return z.forall(z.parts(x), eq(a.at(x), b.at(x)))
    if isinstance(a, tuple):
        return z.both(*(eq(x, y) for x, y in zip(a, b, strict=True))) if len(a) == len(b) else z.truth(False)
    return z.equal(a, b)


def ite(condition: z.Term, a: Value, b: Value) -> Value:
    """a if the condition holds, else b."""
    if a is b:
        return a
    a, b = alike(a, b)
    if isinstance(a, Rec):
        return Rec(a.cls, {name: ite(condition, value, b.fields[name]) for name, value in a.fields.items()})
    if isinstance(a, Fun):
        touched = (*a.touched, *(key for key in b.touched if not any(key is other for other in a.touched)))
        return Fun(a.keys, lambda x: ite(condition, a.at(x), b.at(x)), touched)
    if isinstance(a, tuple):
        return tuple(ite(condition, x, y) for x, y in zip(a, b, strict=True))
    return z.choose(condition, a, b)


def contains(container: Value, value: Value) -> z.Term:
    """Whether a value is in a set, a sequence or a tuple display."""
    if isinstance(container, tuple):
        return z.either(*(eq(value, each) for each in container))
    return container.at(value) if isinstance(container, Fun) else z.occurs(value, container)
