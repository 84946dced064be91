"""Footprints of impl's objects: while an exploration runs, every slot of every primitive records its accesses.

`watched()` replaces the slot descriptors of impl's classes by ones that record (object, slot, read or write) and puts
them back afterwards.  No primitive declares its accesses, so none can be forgotten, and outside of an exploration the
primitives are as they were.

A slot that holds a mutable container (a line of waiters, the items of a queue) counts as written when it is read,
because the reader may change it.  Slots that never change after the object was made are not watched.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from types import BuiltinMethodType, ModuleType
from typing import Any, Final

from ...combinators import as_completed, gather, shield, taskgroup, timeout, wait
from ...sync import barrier, condition, locks, queue, waiters
from ...tasks import callback, future, task
from .containers import use
from .expressions import recording
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
_BRIEF: Final = frozenset({"_Asking", "FutureError"})
#: Functions over the container of another slot.
_ALIASES: Final = {"_add": "_items", "_take": "_items"}

#: Types of values that the reader may change.
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


def predicate_recorded(real: Any) -> Any:  # Any: a method of a condition, of either runtime
    """A method that calls a predicate."""

    @wraps(real)
    def method(called: Any, predicate: Any) -> Any:
        return real(called, recording(predicate))

    return method


def _storage_recorded(real: Any) -> Any:  # Any: a method of a priority queue
    """The method that makes the storage, which compares the items when one is added or taken."""

    @wraps(real)
    def method(called: Any) -> Any:
        items, add, take = real(called)

        def compared(step: Any, *item: Any) -> Any:
            for each in (*items, *item):
                use(each)
            return step(*item)

        return items, partial(compared, add), partial(compared, take)

    return method


@contextmanager
def replaced_methods(methods: Sequence[tuple[type, str, Callable[[Any], Any]]]) -> Iterator[None]:
    """Within the block, methods of classes are those that a function makes of them."""
    before = [(cls, name, vars(cls)[name]) for cls, name, _ in methods]
    try:
        for cls, name, record in methods:
            setattr(cls, name, record(vars(cls)[name]))
        yield
    finally:
        for cls, name, real in before:
            setattr(cls, name, real)


_METHODS: Final = (
    (condition.Condition, "wait_for", predicate_recorded), (queue.PriorityQueue, "_storage", _storage_recorded),
)  # fmt: skip


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
        with replaced_methods(_METHODS):
            yield
    finally:
        for cls, slot, member in replaced:
            setattr(cls, slot, member)
