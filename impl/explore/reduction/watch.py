"""Footprints of impl's objects: while an exploration runs, every slot of every primitive records its accesses.

`watched()` replaces the slot descriptors of impl's classes by ones that record (object, slot, read or write) and puts
them back afterwards.  No primitive declares its accesses, so none can be forgotten, and outside of an exploration the
primitives are as they were.

A slot that holds a mutable container (a line of waiters, the items of a queue) counts as written when it is read,
because the reader may change it.  Slots that never change after the object was made are not watched.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import BuiltinMethodType, ModuleType
from typing import Any, Final

from ...combinators import as_completed, gather, shield, taskgroup, timeout, wait
from ...sync import barrier, condition, locks, queue, waiters
from ...tasks import callback, future, task
from .footprint import log

_MODULES: Final = (
    callback, future, task, waiters, locks, condition, queue, barrier, gather, wait, shield, as_completed, timeout,
    taskgroup,
)  # fmt: skip

#: Set when the object is made, or to the one loop that there is.
_CONSTANT: Final = frozenset(
    {
        "__weakref__", "_host", "_loop", "context", "_coro", "_maxsize", "_observer", "_parties", "_bound", "target",
        "children", "_return_exceptions", "_context", "_whose", "error", "trace", "_behalf", "gathering", "_lock",
        "_changed",
    }
)  # fmt: skip
#: The exceptions: a task group gets its host when it is entered.
_VARIABLE: Final = frozenset({("TaskGroup", "_host")})
#: Objects that live within one step only, or that only a report of an error reads, when they are destroyed.
_BRIEF: Final = frozenset({"_Asking", "Failure"})
#: Functions over the container of another slot.
_ALIASES: Final = {"_add": "_items", "_take": "_items"}

#: Types whose values the reader may change.
MUTABLE: Final = (deque, list, dict, set)


class WatchedSlot:
    """A descriptor that records, in front of the one of a slot.

    Parameters:
        slot: the name under which accesses are recorded.
        member: the descriptor of the slot.
    """

    __slots__ = ("_get", "_set", "_slot")

    def __init__(self, slot: str, member: Any) -> None:  # Any: a member descriptor, of a type without a name
        self._slot = slot
        self._get: Callable[..., object] = member.__get__
        self._set: Callable[[object, object], object] = member.__set__

    def __get__(self, thing: object, kind: type | None = None) -> object:
        if thing is None:
            return self
        value = self._get(thing, kind)
        if type(value) in MUTABLE or type(value) in (BuiltinMethodType, partial):
            log.write(thing, self._slot)
        else:
            log.read(thing, self._slot)
        return value

    def __set__(self, thing: object, value: object) -> None:
        log.write(thing, self._slot)
        self._set(thing, value)


def _classes(module: ModuleType) -> list[type]:
    """The classes that a module defines, with slots of their own."""
    return [
        each
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__ and each.__dict__.get("__slots__")
    ]


@contextmanager
def watched() -> Iterator[None]:
    """Record the accesses to impl's objects in `log`, within the block."""
    replaced: list[tuple[type, str, object]] = []
    for module in _MODULES:
        for cls in _classes(module):
            slots = cls.__dict__["__slots__"]
            for slot in (slots,) if isinstance(slots, str) else slots:
                constant = slot in _CONSTANT and (cls.__name__, slot) not in _VARIABLE
                if not constant and cls.__name__ not in _BRIEF:
                    member = cls.__dict__[slot]
                    replaced.append((cls, slot, member))
                    setattr(cls, slot, WatchedSlot(_ALIASES.get(slot, slot), member))
    try:
        yield
    finally:
        for cls, slot, member in replaced:
            setattr(cls, slot, member)
