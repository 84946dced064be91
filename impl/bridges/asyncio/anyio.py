"""A patch that makes anyio deterministic: the hash of its cancel scopes.

anyio keeps cancel scopes in sets and iterates over them when one is cancelled.  Their hashes are addresses, so the
order differs from run to run.  With the patch, a scope that is first hashed while a simulated loop runs has a number of
that loop as its hash; other scopes keep theirs.  The class is private to anyio: `anyio._backends._asyncio`, tested with
anyio 4.16.  Without such a class the patch does nothing.

A program, or a library such as httpx, may import anyio at any time.  So the patch is applied when that module is
imported, by a finder that the first simulated loop registers before the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final, TypeAlias
from weakref import ref

from .base import simulated_loop

#: The module, and the versions of anyio that the patch was tested with.
MODULE: Final = "anyio._backends._asyncio"
TESTED: Final = ("4.16",)

#: anyio.CancelScope: an optional dependency, without types here.
Scope: TypeAlias = Any

#: id of a scope -> (the scope, its number); a scope has no attribute for it.
_numbers: dict[int, tuple[ref[Scope], int]] = {}


def _hash(scope: Scope) -> int:
    known = _numbers.get(id(scope))
    if known is not None and known[0]() is scope:
        return known[1]
    loop = simulated_loop()
    number = object.__hash__(scope) if loop is None else loop.serial()
    key = id(scope)
    _numbers[key] = (ref(scope, lambda gone: _forget(key, gone)), number)
    return number


def _forget(key: int, gone: ref[Scope]) -> None:
    known = _numbers.get(key)
    if known is not None and known[0] is gone:
        del _numbers[key]


def _steady(module: ModuleType) -> None:
    scope = getattr(module, "CancelScope", None)
    if scope is not None:
        scope.__hash__ = _hash  # the patch


class _WhenImported(MetaPathFinder):
    """Finds the module as usual, and applies the patch when it has been executed."""

    # Any: a target or a loader of the import system.
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
    """Apply the patch, now or when the module is imported; once in a process."""
    if any(isinstance(finder, _WhenImported) for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, _WhenImported())
    module = sys.modules.get(MODULE)
    if module is not None:
        _steady(module)
