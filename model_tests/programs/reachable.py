"""The objects that a user reaches from a thing by its public attributes: these are kept on purpose."""

import gc
import weakref
from collections.abc import Callable, Iterable, Iterator
from traceback import walk_stack
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    MethodType,
    ModuleType,
    SimpleNamespace,
    TracebackType,
)
from typing import Any, Final

# Any in this file: a thing, and the values in it, may be anything.

#: From an attribute: a list of tasks, a task, its result, an object there.
STEPS: Final = 4
#: Things that lead to everything.
ENDS: Final = (ModuleType, type, FunctionType, MethodType, BuiltinFunctionType, CodeType)


def reachable(things: Iterable[Any]) -> list[Any]:
    """Return the values of public attributes of things, and the things that these refer to, a few steps on."""
    found: dict[int, Any] = {}
    level = [value for thing in things for value in public(thing)]
    for _ in range(STEPS):
        new = {id(each): each for each in level if id(each) not in found and not ends(each)}
        found.update(new)
        level = [behind for each in new.values() for behind in referents(each)]
        # all_tasks() has weak ones
        level += [weak for each in new.values() for weak in weakref.getweakrefs(each)]
    return list(found.values())


def referents(thing: Any) -> list[Any]:
    """Return the things that a thing refers to; an error's traceback refers to its frames and their locals.

    So do the callers of its frames.  The locals of a frame that still runs are not among its referents.  The names of a
    module, which lead to everything, are left out.
    """
    if isinstance(thing, FrameType):
        return []
    found = gc.get_referents(thing)
    while isinstance(thing, TracebackType):
        found.append(thing)
        for frame, _ in walk_stack(thing.tb_frame):
            found += [frame, *(each for each in gc.get_referents(frame) if each is not frame.f_globals)]
        thing = thing.tb_next
    return found


def ends(thing: Any) -> bool:
    """Return whether nothing behind a thing counts: code, or a loop."""
    return isinstance(thing, ENDS) or hasattr(type(thing), "run_forever")


def public(thing: Any) -> Iterator[Any]:
    """Yield the values of the public attributes of a thing, without its methods."""
    for name in dir(thing):
        if name[:1] != "_":
            try:
                value = getattr(thing, name)
            except Exception:  # a property may need more than the thing has
                continue
            if not callable(value):
                yield value


def weakly(classes: tuple[type, ...]) -> SimpleNamespace:
    """Return a `weakref` with references that die, too, if instances of these classes show the object."""

    def ref(thing: Any) -> Callable[[], Any]:
        weak = weakref.ref(thing)

        def now() -> Any:
            kept = weak()
            owners = [each for each in gc.get_objects() if issubclass(type(each), classes)]
            return None if any(each is kept for each in reachable(owners)) else kept

        return now

    return SimpleNamespace(ref=ref)
