"""Footprints of asyncio's primitives: while an exploration runs, their attributes record their accesses.

Lock, Queue, TaskGroup and the like are classes in Python.  A descriptor on the class goes before the attribute of the
same name in an object's dictionary, where it keeps the value.  The names are those that the methods of the class
assign to, as their source says, so no attribute can be forgotten.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from asyncio import locks, queues, taskgroups, tasks, timeouts
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any, Final

from ...sim.garbage import parsed
from .containers import use
from .footprint import log
from .futures import WatchedGathering
from .watch import MUTABLE, predicate_recorded, replaced_methods

_CLASSES: Final[tuple[type, ...]] = (
    locks.Lock, locks.Event, locks.Condition, locks.Semaphore, locks.BoundedSemaphore, locks.Barrier, queues.Queue,
    queues.LifoQueue, queues.PriorityQueue, taskgroups.TaskGroup, timeouts.Timeout,
)  # fmt: skip

#: Set when the object is made, or to the one loop that there is.
_CONSTANT: Final = frozenset({
    "_loop", "_lock", "locked", "acquire", "release", "_maxsize", "_parties", "_cond", "_bound_value", "_finished",
})  # fmt: skip


class WatchedAttribute:
    """A descriptor that records, for an attribute in the dictionary of an object."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, thing: Any, kind: type | None = None) -> object:  # Any: an object with a dictionary
        if thing is None:
            return self
        try:
            value: object = vars(thing)[self._name]
        except KeyError:
            log.read(thing, self._name)
            raise AttributeError(self._name) from None
        if type(value) in MUTABLE:
            log.write(thing, self._name)
        else:
            log.read(thing, self._name)
        return value

    def __set__(self, thing: Any, value: object) -> None:
        log.write(thing, self._name)
        vars(thing)[self._name] = value

    def __delete__(self, thing: Any) -> None:
        log.write(thing, self._name)
        del vars(thing)[self._name]


@cache
def assigned_attributes(cls: type) -> tuple[str, ...]:
    """The attributes of `self` that the methods of a class assign to, in alphabetical order."""
    tree = parsed(textwrap.dedent(inspect.getsource(cls)))
    return tuple(
        sorted(
            {
                node.attr
                for node in ast.walk(tree)
                if isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Store)
                and isinstance(node.value, ast.Name)
                and node.value.id == "self"
            }
        )
    )


def _items_recorded(real: Any) -> Any:  # Any: a method of a queue
    """A method that compares or formats the items."""

    @wraps(real)
    def method(queue: Any, *item: Any) -> Any:
        for each in (*vars(queue)["_queue"], *item):
            use(each)
        return real(queue, *item)

    return method


#: Methods that call a predicate, and those that compare or format the items of a queue.
_METHODS: Final = (
    (locks.Condition, "wait_for", predicate_recorded), (queues.PriorityQueue, "_put", _items_recorded),
    (queues.PriorityQueue, "_get", _items_recorded), (queues.Queue, "_format", _items_recorded),
)  # fmt: skip


@contextmanager
def watched_asyncio() -> Iterator[None]:
    """Record the accesses to asyncio's primitives in `log`, within the block."""
    replaced: list[tuple[type, str]] = []
    gathering = tasks._GatheringFuture  # type: ignore[attr-defined]
    try:
        for cls in _CLASSES:
            for name in assigned_attributes(cls):
                if name not in _CONSTANT and name not in vars(cls):
                    replaced.append((cls, name))
                    setattr(cls, name, WatchedAttribute(name))
        tasks._GatheringFuture = WatchedGathering  # type: ignore[attr-defined]
        with replaced_methods(_METHODS):
            yield
    finally:
        tasks._GatheringFuture = gathering  # type: ignore[attr-defined]
        for cls, name in replaced:
            delattr(cls, name)
