"""Values of the subset as terms: scalars and sequences are terms, maps and sets are functions, states are records.

A map or a set is a Python function from key terms to a value (`Fun`).  So the state after a step is functions of the
state before it, and needs neither arrays nor a formula for the parts that do not change.  A tuple display is a tuple of
values until it meets a sequence.

A function here refuses values of a kind that it was not written for (Unreadable).  It never leaves them to Z3, where
`<` and `==` mean something for nearly everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ..core import SpecError
from . import solver as z

#: A term, a Fun, a Rec, or a tuple of values.
Value: TypeAlias = Any


class Unreadable(SpecError):
    """Values of these kinds have no such operation; the text names it, and one to write instead."""


@dataclass(frozen=True, eq=False)
class Fun:
    """A total function of keys of these sorts: a map, or a set with truth values.

    `touched`: the keys at which it was changed one by one since the state before the step.  No sorts: the empty set.
    """

    keys: tuple[z.Sort, ...]
    at: Callable[[Value], Value]
    touched: tuple[Value, ...] = field(default=())
    is_map: bool = False

    def of(self, key: Value) -> Value:
        """The value at a key, or whether it is in the set.  Raises Unreadable for a key of other sorts."""
        if not self.keys:
            return self.at(key)
        parts = z.parts(key)
        if isinstance(key, tuple) is not (len(self.keys) > 1) or len(parts) != len(self.keys):
            raise Unreadable(f"a key of another type than this {kind(self)} has: write one of its type")
        parts = tuple(z.as_number(p) if of == z.INT else p for p, of in zip(parts, self.keys, strict=True))
        if any(not z.is_term(p) or p.sort() != of for p, of in zip(parts, self.keys, strict=True)):
            raise Unreadable(f"a key of another type than this {kind(self)} has: write one of its type")
        return self.at(z.joined(parts))

    def anywhere(self) -> Value:
        """The value at some unknown key."""
        return self.at(z.joined([z.constant(f"@key {n}", of) for n, of in enumerate(self.keys)]))

    def at_points(self, points: Sequence[tuple[Value, Value]]) -> Fun:
        """The function with other values at these keys."""

        def at(x: Value) -> Value:
            found = self.at(x)
            for key, value in points:
                found = ite(eq(x, key), value, found)
            return found

        return replace(self, at=at, touched=(*self.touched, *(key for key, _ in points)))


class Rec:
    """A record: constants or a state, a value for each field of the dataclass `cls`."""

    def __init__(self, cls: type, fields: Mapping[str, Value]) -> None:
        self.cls, self.fields = cls, dict(fields)

    def replace(self, changes: Mapping[str, Value]) -> Rec:
        """The record with other values in some fields.  Raises Unreadable for a value of another type."""
        return Rec(self.cls, self.fields | {n: alike(v, self.field(n))[0] for n, v in changes.items()})

    def field(self, name: str) -> Value:
        """The value of a field.  Raises Unreadable for another name, as of a property or a method."""
        if name not in self.fields:
            raise Unreadable(f"{self.cls.__name__} has no field {name}: write a helper for what is no field")
        return self.fields[name]


#: The empty set, whatever its elements would be.
EMPTY = Fun((), lambda x: z.truth(False))


def kind(value: Value) -> str:
    """The kind of a value, in a word."""
    match value:
        case Fun():
            return "map" if value.is_map else "set"
        case Rec():
            return "record"
        case tuple():
            return "tuple"
    return z.kind(value)


def terms(value: Value) -> Iterator[z.Term]:
    """The terms that a value is made of: of a map or a set the one at any key."""
    match value:
        case Fun():
            yield from terms(value.anywhere()) if value.keys else ()
        case Rec():
            yield from terms(tuple(value.fields.values()))
        case tuple():
            yield from (term for each in value for term in terms(each))
        case _:
            yield value


def a_(kind: str) -> str:
    """The word for a kind, with its article."""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def truth(value: Value) -> z.Term:
    """A condition.  Raises Unreadable for a value that is no bool, where Python would take its truth."""
    if (found := kind(value)) != "truth value":
        raise Unreadable(f"a condition that is {a_(found)}: write a comparison")
    return value


def alike(a: Value, b: Value) -> tuple[Value, Value]:
    """Both as values of one kind, as Python compares them.

    A tuple display beside a sequence is made a sequence, a truth value beside a number a number, and the empty set gets
    the other's sorts.  Raises Unreadable for other values of different kinds.
    """
    match kind(a), kind(b):
        case "record", "record" if a.cls is b.cls:
            return a, b
        case ("map", "map") | ("set", "set") if a.keys == b.keys:
            return a, b
        case "set", "set" if not (a.keys and b.keys):
            keys = a.keys or b.keys
            return replace(a, keys=keys), replace(b, keys=keys)
        case "tuple", "sequence":
            return sequence(a, b.sort()), b
        case "sequence", "tuple":
            return a, sequence(b, a.sort())
        case ("number", "truth value") | ("truth value", "number"):
            return z.as_number(a), z.as_number(b)
        case (x, y) if x == y and (x == "tuple" or (z.is_term(a) and a.sort() == b.sort())):
            return a, b
        case x, y:
            why = "of another type: compare and choose values of one type"
            raise Unreadable(f"{a_(x)} beside {a_(y)} {why}")


def sequence(elements: Sequence[Value], of: z.Sort) -> z.Term:
    """A tuple display as a sequence of that sort.  Raises Unreadable for an element of another type."""
    like = z.constant("@element", of.basis())
    return z.sequence([alike(each, like)[0] for each in elements], of)


def eq(a: Value, b: Value) -> z.Term:
    """Whether two values are equal.  Raises Unreadable, as `alike`."""
    a, b = alike(a, b)
    if isinstance(a, Rec):
        return z.both(*(eq(value, b.fields[name]) for name, value in a.fields.items()))
    if isinstance(a, Fun):
        if not a.keys:
            return z.truth(True)
        if (points := z.points(a.keys)) is not None:
            return z.both(*(eq(a.at(x), b.at(x)) for x in points))
        x = z.fresh(a.keys)
        return z.forall(z.parts(x), eq(a.at(x), b.at(x)))
    if isinstance(a, tuple):
        return z.both(*(eq(x, y) for x, y in zip(a, b, strict=True))) if len(a) == len(b) else z.truth(False)
    return z.equal(a, b)


def ite(condition: z.Term, a: Value, b: Value) -> Value:
    """a if the condition holds, else b.  Raises Unreadable, as `alike`."""
    if a is b:
        return a
    a, b = alike(a, b)
    if isinstance(a, Rec):
        return Rec(a.cls, {name: ite(condition, value, b.fields[name]) for name, value in a.fields.items()})
    if isinstance(a, Fun):
        touched = (*a.touched, *(key for key in b.touched if not any(key is other for other in a.touched)))
        return replace(a, at=lambda x: ite(condition, a.at(x), b.at(x)), touched=touched)
    if isinstance(a, tuple):
        if len(a) != len(b):
            raise Unreadable("tuples of different lengths: choose between tuples of one length")
        return tuple(ite(condition, x, y) for x, y in zip(a, b, strict=True))
    return z.choose(condition, a, b)


def contains(container: Value, value: Value) -> z.Term:
    """Whether a value is in a set, a sequence or a tuple display.  Raises Unreadable for another container."""
    match kind(container):
        case "tuple":
            return z.either(*(eq(value, each) for each in container))
        case "set":
            return container.of(value)
        case "sequence":
            like = z.constant("@element", container.sort().basis())
            return z.occurs(alike(value, like)[0], container)
        case other:
            raise Unreadable(f"membership of a {other} is not read: write `in` of a set, a sequence or a tuple")
