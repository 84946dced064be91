"""The module-level state of a program: the values in its modules before the first run, and whether runs change it.

A search does not import the program anew for each run.  A value that a run leaves in a module is there in the next run,
which then tests something else, often nothing: a dict at module level is filled by the first run only.

The names of the module of `main` are looked at, and those of the modules of the same program that it leads to; behind
them whatever held.py can read.  An object of a library is left alone.
"""

from __future__ import annotations

import builtins
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Final

from ...bridges.user_program import function_of
from ...sim.frames import is_users
from ..programs.program import UserMain
from ..reduction.kinds import PLAIN
from .held import Contents, Held, Value, held_by, same

#: The values that are looked at, in all and in one collection; large tables are taken for constant.
_VALUES_MAX: Final = 20_000
_ONE_MAX: Final = 5_000
#: The modules of asyncio's primitives, which have their state in attributes.
_PRIMITIVES: Final = ("asyncio.locks", "asyncio.queues")


class ModuleState:
    """The state of the modules of a program, as it is now.

    Parameters:
        main: the function that is explored.
    """

    def __init__(self, main: UserMain) -> None:
        self._held: list[Held] = []
        if (function := function_of(main)) is not None and is_users(function.__code__.co_filename):
            self._held.extend(_walk(function.__globals__))

    def changed(self) -> list[str]:
        """The module-level names with other values than at first, or with other contents."""
        found: dict[str, None] = {}
        for held, now in self._changes():
            if held.name.endswith("."):
                before, after = dict(held.first), dict(now)
                names = [name for name in {**before, **after} if not same(before.get(name), after.get(name))]
                found.update(dict.fromkeys(_joined(held.name, name) for name in names))
            else:
                found[held.name] = None
        return list(found)

    def restore(self) -> None:
        """Give everything the contents that it had at first."""
        for held, _ in self._changes():
            held.write(held.first)

    @contextmanager
    def at_first(self) -> Iterator[None]:
        """The block begins in the first state; after it, all is as it was before."""
        before = list(self._changes())
        self.restore()
        try:
            yield
        finally:
            self.restore()
            for held, contents in before:
                held.write(contents)

    def _changes(self) -> Iterator[tuple[Held, Contents]]:
        for held in self._held:
            now = held.read()
            if not held.same(now):
                yield held, now


def _walk(names: dict[str, Value]) -> Iterator[Held]:
    """All that can change in the module of these global names, and in the modules and things that they lead to."""
    module = names.get("__name__", "")

    def own(cls: type) -> bool:
        return cls.__module__ in (module, *_PRIMITIVES) or _is_other(sys.modules.get(cls.__module__), module)

    # It keeps the things alive, so that none gets the id of another one.  Builtins are no state of the program.
    seen: dict[int, Value] = {id(vars(builtins)): vars(builtins)}
    left: deque[tuple[str, Value]] = deque([(".", names)])
    room = _VALUES_MAX
    while left and room > 0:
        name, thing = left.popleft()
        if type(thing) in PLAIN or id(thing) in seen:
            continue
        seen[id(thing)] = thing
        if type(thing) in (tuple, frozenset) and len(thing) <= _ONE_MAX:
            room -= len(thing)
            left += ((name, value) for value in thing)
        for held in held_by(name, thing, own, _ONE_MAX):
            room -= 1 + len(held.first)
            yield held
            if not name.endswith("."):
                left += ((name, value) for value in held.first)
                continue
            left += ((_joined(name, key), value) for key, value in held.first)
            others = dict.fromkeys(_module(value) for _, value in held.first)
            left += ((f"{other.__name__}.", vars(other)) for other in others if _is_other(other, module))


def _joined(module: str, name: str) -> str:
    """The name as a message has it: without its module, if that is the module of `main`."""
    return f"{module}{name}".removeprefix(".")


def _module(value: Value) -> Value:
    """The module that a value is, or is of; None: there is none."""
    kind = type(value)  # isinstance would ask a proxy for its class
    if kind is ModuleType:
        return value
    return sys.modules.get((value if issubclass(kind, type | FunctionType) else kind).__module__)


def _is_other(module: Value, name: str) -> bool:
    """Whether it is a module of the program, and not the one of this name."""
    return type(module) is ModuleType and module.__name__ != name and is_users(getattr(module, "__file__", None))
