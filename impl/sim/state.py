"""The state of a run: all that can be reached from some objects, in a form that can be compared with a later one.

The objects are numbered in the order of a walk, so two states are equal if they have the same shape and the
same values, whatever their addresses are.  A number may be a time: it counts as the same, too, if it is as far from the
clock as before.  Constant are modules, functions' code, the loop, and the objects of some libraries.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import weakref
from collections.abc import Callable, Iterable
from random import Random
from types import BuiltinMethodType, CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any, Final, NamedTuple

from ..errors import PACKAGE
from .frames import frame_of, is_installed, is_library

# Any in this file: objects of the program.

_HEAP_TYPE, _IMMUTABLE_TYPE = 1 << 9, 1 << 8  # Include/object.h: Py_TPFLAGS_
_NUMBERS: Final = (int, float)
_VALUES: Final = (str, bytes, complex, bool, type(None), range, type(...), type(NotImplemented))
_SKIPPED: Final = (ModuleType, CodeType, FrameType, TracebackType)
#: Modules of classes in C that the garbage collector looks into, or that `_parts` knows.
# fmt: off
_SEEN_THROUGH: Final = frozenset(
    ("builtins", "collections", "_collections", "_asyncio", "contextvars", "_contextvars", "functools", "_functools",
     "weakref", "_weakref", "types", "_thread", "_random", "itertools")
)
#: Modules of functions in C that read and change their arguments only.
_PURE: Final = _SEEN_THROUGH | {"math", "_operator", "_heapq", "_bisect", "_abc", "sys", "gc"}
_IMPURE: Final = ("open", "input")
#: Packages of objects that a program never waits for.
_CONSTANT: Final = frozenset(
    ("typing", "re", "io", "_io", "socket", "_socket", "selectors", "select", "datetime", "decimal", "logging",
     "_pytest", "pluggy", "pytest", "model_tests")
)
# fmt: on
_OURS: Final = tuple(f"{PACKAGE}.{part}." for part in ("sim", "explore", "picture"))
#: Numbers that each step or each new object counts up, and that nothing else reads.
_COUNTERS: Final = ("_serial", "_schedule_points", "_cancel_points")
#: Methods of loops, trio's included, of observers and of guests.
_LOOPS: Final = ("run_turns", "spawn_impl", "taken", "suggestion")
#: Classes of objects that have a frame.
_FRAMED: Final = ("coroutine", "generator", "async_generator")
_TASK_NAME: Final = re.compile(r"Task-\d+")
_IMPL: Final = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_STDLIB: Final = os.path.join(os.path.dirname(os.path.abspath(os.__file__)), "")
_QUIET: Final = (
    *(os.path.join(_STDLIB, part, "") for part in ("asyncio", "logging", "collections")),
    *(os.path.join(_STDLIB, f"{part}.py") for part in ("contextlib", "threading", "queue", "weakref")),
)
_QUIET_PACKAGES: Final = tuple(f"{os.sep}{part}{os.sep}" for part in ("trio", "outcome", "_pytest"))
#: The least difference of two times, in seconds.
_EPSILON: Final = 1e-6


class State(NamedTuple):
    """A state, and the objects that it has, which it holds so that no other object gets their addresses."""

    tokens: list[Any]
    things: list[Any]

    def equals(self, other: State) -> bool:
        """Whether both have the same shape and the same values."""
        ours, theirs = self.tokens, other.tokens
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))


def _same(one: Any, other: Any) -> bool:
    if type(one) is tuple and type(other) is tuple:
        return bool(one[0] == other[0] or abs(one[1] - other[1]) < _EPSILON)
    return one is other or bool(type(one) is type(other) and one == other)


def constant(thing: Any) -> str:
    """The name of an object that is taken for constant; "" for another one."""
    return f"at {id(thing)}" if _is_constant(type(thing)) else ""


def state_of(roots: Iterable[Any], now: int, most: int, named: Callable[[Any], str] = constant) -> State | None:
    """The state of the objects that can be reached from `roots`, with the clock at `now` (virtual nanoseconds).

    Returns None if there are more than `most`, or one hides its state.  `named` returns the name of a constant object,
    or "": one that gives the same names in each run makes the states of several runs comparable.
    """
    seen: dict[int, int] = {}
    state = State([], [])
    left = list(roots)
    while left:
        thing = left.pop()
        kind = type(thing)
        if kind in _NUMBERS:
            state.tokens.append((thing, thing - (now if kind is int else now / 1e9)))
        elif kind in _VALUES:
            state.tokens.append(_TASK_NAME.sub("Task", thing) if kind is str else thing)
        elif kind not in _SKIPPED:
            number = seen.setdefault(id(thing), len(seen))
            state.tokens.append(f"#{number}")
            if number == len(state.things):
                state.things.append(thing)
                parts = _parts(thing, kind, named(thing))
                if parts is not None and hasattr(kind, "_registered_deadline"):
                    due = thing._registered_deadline - now / 1e9
                    parts.append(f"due in {due:.6f}")  # a scope of trio: it counts, however far it is
                if parts is None or number >= most:
                    return None
                state.tokens.extend((kind, f"{len(parts)} parts"))
                left += parts
    return state


def _parts(thing: Any, kind: type, name: str) -> list[Any] | None:
    """The objects and values that an object consists of; None: it hides them.  No code of the program runs."""
    if name:
        return [name]
    if hasattr(kind, "suspended_frames"):  # a thread: its variables are not seen
        return None
    if issubclass(kind, type):
        file = _file(thing.__module__)
        own = _is_python(thing) and not is_library(file) and not is_installed(file)
        names = [name for name in vars(thing) if name != "_abc_impl"] if own else []
        return [f"at {id(thing)}", *(each for name in names if not callable(each := vars(thing)[name]))]
    core = _core(kind)
    simulated = core.__module__ == "_socket"  # a real one is constant: a run uses none
    if (core.__module__ not in _SEEN_THROUGH and not simulated) or core is memoryview:
        return None
    for known, parts in _KNOWN:
        if issubclass(kind, known):
            return parts(thing)
    if core.__module__ in ("itertools", "_thread"):
        return [repr(thing)] if core.__name__ in ("count", "repeat", "lock", "LockType", "RLock", "_local") else None
    if core.__name__.endswith("iterator") or core in (enumerate, zip, map, filter, reversed):
        return list(thing.__reduce__()[1:])
    found = gc.get_referents(thing)
    if core.__name__ in _FRAMED and (frame := frame_of(thing)) is not None:
        found.append(f"at instruction {frame.f_lasti}")
    for name in _COUNTERS:
        if hasattr(kind, name):
            found.remove(getattr(thing, name))
    if core.__module__ == "_asyncio" and hasattr(core, "done"):
        requests = core.cancelling(thing) if hasattr(core, "cancelling") else 0
        found.append(f"{core.done(thing)} {core.cancelled(thing)} {requests}")
    return found


#: How the parts of these are found, if not by the garbage collector.
_KNOWN: Final[tuple[tuple[Any, Callable[[Any], list[Any]]], ...]] = (
    (FunctionType, lambda it: [it.__closure__, it.__defaults__, it.__kwdefaults__, it.__dict__]),
    (BuiltinMethodType, lambda it: [it.__name__, it.__self__]),
    (weakref.ref, lambda it: [it()]),
    (Random, lambda it: [hash(it.getstate())]),
    (bytearray, lambda it: [bytes(it)]),
    *((base, lambda it, base=base: [base.__repr__(it), *gc.get_referents(it)]) for base in (int, float, str, bytes)),
)


def _is_constant(kind: type) -> bool:
    """Whether objects of this class are taken for constant: loops and kernels, and those of some packages."""
    module = str(kind.__module__)
    parts = module.split(".")
    return (
        any(hasattr(kind, name) for name in _LOOPS)
        or not _CONSTANT.isdisjoint(parts[:2])
        or (module.startswith(_OURS) and not hasattr(kind, "run"))
    )


def _core(kind: type) -> Any:
    """The first class of its bases that is written in C."""
    return next(each for each in kind.__mro__ if not _is_python(each))


def _is_python(kind: type) -> bool:
    """Whether a class is written in Python: it has no storage but slots and a dictionary."""
    if not kind.__flags__ & _HEAP_TYPE or kind.__flags__ & _IMMUTABLE_TYPE:
        return False
    own = {"__slots__", "__dict__", "__weakref__"}
    return not own.isdisjoint(vars(kind)) or kind.__basicsize__ == getattr(kind.__base__, "__basicsize__", 0)


def _file(module: str) -> str:
    return getattr(sys.modules.get(module), "__file__", None) or ""


def is_quiet(filename: str) -> bool:
    """Whether a file belongs to a runtime, or to its base: these read the clock to set timers only."""
    if filename.startswith(_IMPL):
        return is_library(filename)
    return filename.startswith(_QUIET) or any(part in filename for part in _QUIET_PACKAGES)


def harmless(function: Any) -> bool:
    """Whether a function in C reads and changes only values that a state shows."""
    owner = function.__self__
    if isinstance(owner, ModuleType):
        return owner.__name__ in _PURE and function.__name__ not in _IMPURE
    if owner is None:
        return function.__module__ in _PURE and function.__name__ not in _IMPURE
    core = _core(owner if isinstance(owner, type) else type(owner))
    return core.__module__ in _SEEN_THROUGH or function.__name__ in ("write", "flush")
