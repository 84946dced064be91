"""Methods that asyncio has as functions are coroutines, such as release(), or acquire() returns None."""

import asyncio
import inspect
from collections.abc import Callable, Generator, Mapping
from functools import wraps
from types import ModuleType
from typing import Any, Final

from ..members import has, members
from ..suggestion import CLASSES, resembled

# Any in this file: a class is of a subject, and so are its objects, their methods and results.

#: The classes that may be so.
NAMES: Final = (
    *("Lock", "Semaphore", "BoundedSemaphore", "Condition", "Event", "Barrier"),
    *("Queue", "LifoQueue", "PriorityQueue"),
)
#: How often a coroutine may give up a turn, and goes on at once.
TURNS: Final = 8
#: The tasks that run the rest of a call.
_ENDING: Final[set[asyncio.Future[Any]]] = set()


def adapt(thing: Any) -> Mapping[str, Any]:
    """Return asyncio's classes on those of a module, or on one class."""
    if isinstance(thing, ModuleType):
        own = {name: vars(thing).get(name) for name in NAMES}
        found = {name: cls for name, cls in own.items() if cls is not getattr(asyncio, name, None)}
    else:
        found = {name_of(thing): thing}
    return {name: adapted(CLASSES[name], cls) for name, cls in found.items() if cls is not None}


def name_of(cls: Any) -> str:
    """Return the name of asyncio's class that a class stands for.  Raises TypeError if there is none."""
    bases = [name for base in cls.__mro__ for name in NAMES if base is CLASSES[name]]
    own = [cls.__name__] if cls.__name__ in NAMES else []
    name = next(iter([*own, *bases]), "") or resembled(cls)
    if name not in NAMES:
        raise TypeError(f"{cls.__name__} is like none of asyncio's {', '.join(NAMES)}")
    return name


def adapted(original: type, cls: Any) -> type:
    """Return a class with those of the original's members that the class has."""

    def made(self: Any, *given: Any, **named: Any) -> None:
        self._adapted = cls(*map(inner, given), **{name: inner(value) for name, value in named.items()})

    body: dict[str, Any] = {"__init__": wraps(cls.__init__)(made)}
    for member in sorted(members(original)):
        if has(cls, member):
            old, new = (inspect.getattr_static(each, member, None) for each in (original, cls))
            if inspect.isroutine(old):
                kind = awaited if inspect.iscoroutinefunction(old) else at_once
                body[member] = wraps(new)(kind(member)) if inspect.isroutine(new) else kind(member)
            else:
                body[member] = property(seen(member))
    return type(original.__name__, (), body)


def inner(value: Any) -> Any:
    """Return an argument: of a condition, the lock itself."""
    return getattr(value, "_adapted", value)


def seen(member: str) -> Callable[[Any], Any]:
    """Return a function that reads an attribute."""
    return lambda self: getattr(self._adapted, member)


def awaited(member: str) -> Callable[..., Any]:
    """Return a coroutine method; an acquire that returns has acquired."""

    async def method(self: Any, *given: Any, **named: Any) -> Any:
        result = await getattr(self._adapted, member)(*given, **named)
        return True if member == "acquire" and result is None else result

    return method


def at_once(member: str) -> Callable[..., Any]:
    """Return a method that runs a coroutine at once, until it waits for a future.

    A task of its own does the rest: an error that comes then is not the caller's.
    """

    def method(self: Any, *given: Any, **named: Any) -> Any:
        result = getattr(self._adapted, member)(*given, **named)
        if not inspect.isawaitable(result):
            return result
        steps: Any = result.__await__()
        try:
            for _ in range(TURNS):
                if (first := next(steps)) is not None:
                    break
        except StopIteration as end:
            return end.value
        task = asyncio.ensure_future(Rest(steps, first))
        _ENDING.add(task)
        task.add_done_callback(_ENDING.discard)
        return None

    return method


class Rest:
    """The rest of a coroutine that waits for `first`."""

    def __init__(self, steps: Any, first: Any) -> None:
        self._steps, self._first = steps, first

    def __await__(self) -> Generator[Any, Any, Any]:
        waits = self._first
        try:
            while True:
                try:
                    result = yield waits
                except BaseException as error:
                    waits = self._steps.throw(error)
                else:
                    waits = self._steps.send(result)
        except StopIteration as end:
            return end.value
