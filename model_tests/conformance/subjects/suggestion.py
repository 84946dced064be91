"""The advice about a subject without any of asyncio's names: the name that one of its classes can have."""

import asyncio
from types import ModuleType
from typing import Any, Final

from ..attribute import FAMILIES

#: A class or function of a subject, or None.
Thing = Any
#: asyncio's classes, by name.
CLASSES: Final = {name: thing for name in FAMILIES if isinstance(thing := getattr(asyncio, name, None), type)}
#: The part of the methods of asyncio's class that a class with another name must have to resemble it.
ENOUGH: Final = 0.5


def public(cls: type) -> set[str]:
    """Return the public attributes of a class."""
    return {name for name in dir(cls) if name[:1] != "_"}


def resembled(cls: type) -> str:
    """Return asyncio's class that shares most methods with a class, or "" if few; of equals, one that it names."""

    def place(name: str) -> tuple[float, bool]:
        wanted = public(CLASSES[name])
        return len(wanted & public(cls)) / len(wanted), name.lower() in cls.__name__.lower()

    best = max(CLASSES, key=place)
    return best if place(best)[0] >= ENOUGH else ""


def suggestion(module: ModuleType, path: str) -> str:
    """Return the advice for a module without a class that has a name of asyncio's."""
    own = [thing for thing in vars(module).values() if isinstance(thing, type)]
    own = [cls for cls in own if cls.__module__ == module.__name__]
    for cls in own:
        if path.endswith(".py") and not set(CLASSES.values()).isdisjoint(cls.__mro__):
            return f"try {path}:{cls.__name__}"
    return written(next(filter(resembled, own), None))


def written(thing: Thing) -> str:
    """Return the line that gives a class the name of the one it replaces; None: any class."""
    named = thing.__name__ if isinstance(thing, type) else "MyQueue"
    if isinstance(thing, type) and (name := resembled(thing)):
        return f"write `{name} = {named}` in the file"
    return f"give the class the name of what it replaces, as in `Queue = {named}`"
