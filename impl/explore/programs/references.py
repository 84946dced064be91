"""Tasks that nothing refers to: asyncio holds its tasks weakly, so one that waits may be collected, and never ends.

Our loops hold their tasks, so that no run depends on the garbage collector.  This finds a task that would be garbage
without that: of all objects that it leads to, those that something else refers to, as their reference counts show, do
not lead back to it.  Whatever the collector does not see counts as something else, and so does a task that leads to
more than MOST objects: one of a large library, mostly, which has lists of its own.

Source: CPython documentation, `asyncio.create_task` ("Save a reference to the result of this function").
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from types import CodeType, ModuleType
from typing import Any, Final

# Any in this file: tasks, and whatever they lead to.

#: The objects that a task may lead to.
MOST: Final = 5_000


def unreferenced(tasks: Sequence[Any], number: int, outside: Collection[Any]) -> bool:
    """Whether nothing but its loop refers to the task of that number, which waits; call it with no variable for it.

    Parameters:
        tasks: those that the loop holds by one reference each, where asyncio has none.
        outside: the loop, and other objects that are no part of what the task leads to.
    """
    things = [tasks[number]]
    if not _close(things, outside):
        return False
    place = {id(thing): n for n, thing in enumerate(things)}
    inner = Counter(place[id(other)] for thing in things for other in gc.get_referents(thing) if id(other) in place)
    for _ in ("the loop", "the parameter"):
        inner.update(place[id(other)] for other in tasks if id(other) in place)
    probe = [object()]
    own = sys.getrefcount(probe[0])
    left = [n for n in range(len(things)) if sys.getrefcount(things[n]) - own > inner[n]]
    reached = set(left)
    while left:
        for other in gc.get_referents(things[left.pop()]):
            n = place.get(id(other))
            if n is not None and n not in reached:
                reached.add(n)
                left.append(n)
    return 0 not in reached


def _close(things: list[Any], outside: Collection[Any]) -> bool:
    """Add all objects that the collector reaches from these, but modules, classes and code; whether they are few."""
    spaces = {id(vars(module)) for module in list(sys.modules.values()) if isinstance(module, ModuleType)}
    seen = {*map(id, things), *map(id, outside), *spaces}
    for thing in things:
        for other in gc.get_referents(thing):
            if id(other) not in seen and gc.is_tracked(other) and not isinstance(other, type | ModuleType | CodeType):
                seen.add(id(other))
                things.append(other)
        if len(things) > MOST:
            return False
    return True
