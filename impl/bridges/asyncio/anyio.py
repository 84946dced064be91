"""The one line that anyio needs to be deterministic: the hash of its cancel scopes.

Theory of operation.  anyio keeps cancel scopes in sets, and walks through them when one is cancelled; their hashes are
addresses, so the order differs from run to run.  Here a scope that is hashed while a simulated loop runs gets a number
of that loop, for ever; any other one keeps its hash.  The class is private to anyio: `anyio._backends._asyncio`, tested
with anyio 4.16.  Where there is no such class, nothing is done.

A program may import anyio at any time, or a library of its (httpx does when the first client is made); so the line is
applied when that module is imported, by a finder that the first simulated loop puts before the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final
from weakref import ref

from .base import simulated_loop

#: The module, and the versions of anyio that this was tested with.
MODULE: Final = "anyio._backends._asyncio"
TESTED: Final = ("4.16",)

#: id of a scope -> (the scope, its number); the scope has no place for it.
_numbers: dict[int, tuple[ref[Any], int]] = {}  # Any: anyio.CancelScope, here and below


def _hash(scope: Any) -> int:
    known = _numbers.get(id(scope))
    if known is not None and known[0]() is scope:
        return known[1]
    loop = simulated_loop()
    number = object.__hash__(scope) if loop is None else loop.serial()
    key = id(scope)
    _numbers[key] = (ref(scope, lambda gone: _forget(key, gone)), number)
    return number


def _forget(key: int, gone: ref[Any]) -> None:
    known = _numbers.get(key)
    if known is not None and known[0] is gone:
        del _numbers[key]


def _steady(module: ModuleType) -> None:
    scope = getattr(module, "CancelScope", None)
    if scope is not None:
        scope.__hash__ = _hash  # the line


class _WhenImported(MetaPathFinder):
    """Finds the one module as ever, and applies the line to it."""

    # Any: what a loader is handed, and a target, are the import system's.
    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if fullname != MODULE:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            loader.exec_module = _then_steady(loader.exec_module)
        return spec


def _then_steady(execute: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
    def execute_then_steady(module: ModuleType) -> None:
        execute(module)
        _steady(module)

    return execute_then_steady


def watch_imports() -> None:
    """Apply the line, now or when the module is imported; once in a process."""
    if any(isinstance(finder, _WhenImported) for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, _WhenImported())
    module = sys.modules.get(MODULE)
    if module is not None:
        _steady(module)
