"""Locks that were made before a run, by an import without the guard: others stand for them once a run has threads.

A thread that holds a real lock while it is parked would stop the process when another one of the run takes it.  So the
locks in modules, in their classes and objects, and in the primitives of threading and queue there, are replaced, some
steps deep, as are those of the handlers of logging.  They stay, because they behave as the real ones outside of a run.

Private to CPython (3.11 to 3.15): `_lock` and `_waiters` of a Condition, `_handlerList` and `_lock` of logging.
"""

from __future__ import annotations

import logging
import sys
import threading
from types import FunctionType, ModuleType
from typing import Any, Final

from ...sim.frames import is_users
from . import locks
from .by_name import keeps

# Any in this file: objects of any module.

#: How many attributes lead from a module to an object that is looked at, at most.
_DEEP: Final = 3
_SKIPPED: Final = (ModuleType, FunctionType, str, bytes, int, float, dict, list, tuple, set)
_adopted: Final[set[str]] = set()


def adopt_users() -> None:
    """Replace the locks of the user's modules: before a search takes their state, which it gives them again."""
    for name, module in list(sys.modules.items()):
        if name not in _adopted and is_users(getattr(module, "__file__", None)):
            _adopt(name, module)


def adopt() -> None:
    """Replace the locks of modules that were imported since the last call."""
    if len(sys.modules) == len(_adopted):
        return
    for name, module in list(sys.modules.items()):
        if name not in _adopted:
            _adopt(name, module)
    for handler in [each() for each in vars(logging)["_handlerList"]]:
        if handler is not None:
            _replace(handler, vars(handler))
    _replace(logging, {"_lock": vars(logging)["_lock"]})


def _adopt(name: str, module: ModuleType) -> None:
    _adopted.add(name)
    if not keeps(name):
        seen: dict[int, Any] = {}
        names = getattr(module, "__dict__", {})
        _replace(module, dict(names))
        for value in list(names.values()):
            _look(value, _DEEP, seen)


def _look(thing: Any, deep: int, seen: dict[int, Any]) -> None:
    """Replace the locks of an object, and of those in it; no code of the program runs."""
    kind = type(thing)  # isinstance would ask a proxy for its class
    if issubclass(kind, _SKIPPED) or id(thing) in seen:
        return
    seen[id(thing)] = thing
    if kind is threading.Condition:
        lock, waiters = vars(thing)["_lock"], vars(thing)["_waiters"]
        if _is_real(lock) and not waiters:
            lock = locks.standing_for(lock)
            threading.Condition.__init__(thing, lock)  # type: ignore[arg-type]  # any lock will do
        return
    if issubclass(kind, type):
        _replace(thing, dict(vars(thing)))
        return
    try:
        found = dict(object.__getattribute__(thing, "__dict__"))
    except AttributeError:
        return
    _replace(thing, found)
    if deep:
        for each in found.values():
            _look(each, deep - 1, seen)


def _replace(owner: Any, attributes: dict[str, Any]) -> None:
    for name, value in attributes.items():
        if _is_real(value):
            try:
                setattr(owner, name, locks.standing_for(value))
            except (AttributeError, TypeError):  # the class lets no attribute be set
                continue


def _is_real(value: Any) -> bool:
    """Whether it is a lock that can be replaced now."""
    return type(value) is locks.REAL or (type(value) is locks.REAL_RLOCK and locks.is_free(value))
