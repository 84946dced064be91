"""The contents of a thing of a program, read and written without running the program's code.

A thing is a collection, an object or a class of the program, one of asyncio's primitives, a `random.Random`, or the
names of a module.  A key of a dict or set that is written is hashed, which may run code of the program.
"""

from __future__ import annotations

import random
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType, MemberDescriptorType
from typing import Any, Final, NamedTuple, TypeAlias

from ..reduction.kinds import CONTAINERS, PLAIN, attributes

#: A value of the program: anything.
Value: TypeAlias = Any
#: The contents of a thing: values, or pairs of a key and a value.
Contents: TypeAlias = list[Value]

#: The builtin collections, a subclass before its base.
_BASES: Final[tuple[Any, ...]] = (OrderedDict, dict, list, bytearray, set, deque)
_UNSET: Final = object()


class Held(NamedTuple):
    """A thing, or a part of it: how its contents are read and written, and their first values."""

    #: The module-level name that leads to it; it ends with a dot if the contents are the names of a module.
    name: str
    read: Callable[[], Contents]
    write: Callable[[Contents], object]
    first: Contents

    def same(self, now: Contents) -> bool:
        """Whether contents are those that it had at first."""
        return len(now) == len(self.first) and all(map(same, self.first, now))


def same(first: Value, now: Value) -> bool:
    """Whether both are the same object, equal plain values, or functions, which an oracle puts others in the place of.

    No code of the program runs.
    """
    if first is now or type(first) is type(now) is FunctionType:
        return True
    if type(first) is not type(now):
        return False
    if type(first) is tuple:
        return len(first) == len(now) and all(map(same, first, now))
    return type(first) in PLAIN and bool(first == now)


def held_by(name: str, thing: Value, own: Callable[[type], bool], most: int) -> Iterator[Held]:
    """The parts of a thing that can change.

    Parameters:
        name: the module-level name that leads to it.
        own: whether the objects of a class have no more than the attributes that show.
        most: the most items of a collection; a larger one is left out.
    """
    kind = type(thing)
    if name.endswith("."):
        yield _part(name, partial(_names, thing), partial(_write_names, thing))
    elif kind is random.Random:
        yield _part(name, lambda: [thing.getstate()], lambda state: thing.setstate(*state))
    elif issubclass(kind, type):
        if own(thing):
            yield _part(name, partial(_class_attributes, thing), partial(_write_class, thing))
    elif kind in CONTAINERS or own(kind):
        yield from _collection(name, thing, kind, most)
        yield from _collection(name, attributes(thing), dict, most)
        slots = [each for base in kind.__mro__ for each in vars(base).values() if _is_slot(each)]
        if slots and own(kind):
            yield _part(name, partial(_slots, thing, slots), partial(_write_slots, thing, slots))


def _part(name: str, read: Callable[[], Contents], write: Callable[[Contents], object]) -> Held:
    return Held(name, read, write, read())


def _collection(name: str, thing: Value, kind: type, most: int) -> Iterator[Held]:
    """The items of a collection, if it is one, read and written by the methods of its builtin base."""
    base = next((each for each in _BASES if issubclass(kind, each)), None)
    if base is not None and base.__len__(thing) <= most:
        items = base.items if issubclass(base, dict) else base.__iter__
        yield _part(name, lambda: list(items(thing)), partial(_write_items, thing, base))


def _write_items(thing: Value, base: Any, items: Contents) -> None:
    if base is bytearray and len(thing) == len(items):  # one that a memoryview shows keeps its size
        base.__setitem__(thing, slice(None), bytes(items))
        return
    base.clear(thing)
    if issubclass(base, dict):
        for key, value in items:
            base.__setitem__(thing, key, value)
    else:
        (base.update if base is set else base.extend)(thing, items)


def _names(names: Any) -> Contents:
    """The names of a module or class without those of Python itself."""
    return [(name, value) for name, value in list(names.items()) if not name.startswith("__")]


def _write_names(names: dict[str, Value], contents: Contents) -> None:
    _write_changed(_names(names), contents, names.__setitem__, names.__delitem__)


def _class_attributes(cls: type) -> Contents:
    """The attributes of a class but its methods: an oracle puts others in their place, also where one is inherited."""
    return [(name, value) for name, value in _names(vars(cls)) if type(value) is not FunctionType]


def _write_class(cls: type, contents: Contents) -> None:
    write, delete = partial(type.__setattr__, cls), partial(type.__delattr__, cls)
    _write_changed(_class_attributes(cls), contents, write, delete)


def _write_changed(
    contents: Contents,
    first: Contents,
    write: Callable[[str, Value], object],
    delete: Callable[[str], object],
) -> None:
    before, now = dict(first), dict(contents)
    for name in now.keys() - before.keys():
        delete(name)
    for name, value in before.items():
        if name not in now or not same(value, now[name]):
            write(name, value)


def _is_slot(member: object) -> bool:
    return type(member) is MemberDescriptorType and not member.__name__.startswith("__")


def _slots(thing: Value, slots: list[MemberDescriptorType]) -> Contents:
    return [_slot(thing, slot) for slot in slots]


def _slot(thing: Value, slot: MemberDescriptorType) -> Value:
    try:
        return slot.__get__(thing)
    except AttributeError:
        return _UNSET


def _write_slots(thing: Value, slots: list[MemberDescriptorType], contents: Contents) -> None:
    for slot, value in zip(slots, contents, strict=True):
        if value is not _UNSET:
            slot.__set__(thing, value)
        elif _slot(thing, slot) is not _UNSET:
            slot.__delete__(thing)
