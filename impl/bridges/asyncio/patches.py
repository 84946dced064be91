"""Patches of anyio, aiohttp and sqlite3 that make them deterministic, applied when the library is imported.

A program, or a library such as httpx, may import another one at any time.  So a patch is applied when its module is
imported, by a finder that the first simulated loop registers before the others.  The classes are private to the
libraries; without such a class a patch does nothing.

1.  anyio keeps cancel scopes in sets and iterates over them when one is cancelled.  Their hashes are addresses, so the
    order differs from run to run.  With the patch, a scope that is first hashed while a simulated loop runs has a
    number of that loop as its hash; other scopes keep theirs.
2.  The writer of a websocket of aiohttp draws masks from a `random.Random` that was made when aiohttp was imported,
    outside of any run, and is the default of a parameter.  With the patch, it draws them from the module random while
    a simulated loop runs.
3.  sqlite3 waits for a locked database in virtual time (databases.py).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final, TypeAlias
from weakref import ref

from ..simulated_loop import simulated_loop
from .databases import patch_sqlite

Patch: TypeAlias = Callable[[ModuleType], None]

#: The versions of the libraries that the patches were tested with.
TESTED: Final = {"anyio": ("4.16",), "aiohttp": ("3.14",)}

#: anyio.CancelScope: anyio is an optional dependency, without types here.
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


def _patch_anyio(module: ModuleType) -> None:
    scope = getattr(module, "CancelScope", None)
    if scope is not None:
        scope.__hash__ = _hash


class _Masks(random.Random):
    def getrandbits(self, k: int, /) -> int:
        return super().getrandbits(k) if simulated_loop() is None else random.getrandbits(k)


def _patch_aiohttp(module: ModuleType) -> None:
    begin = getattr(getattr(module, "WebSocketWriter", None), "__init__", None)
    defaults = getattr(begin, "__kwdefaults__", None) or {}
    for name, value in defaults.items():
        if type(value) is random.Random:
            defaults[name] = _Masks()


#: The module of a library -> its patch.
PATCHES: Final[dict[str, Patch]] = {
    "anyio._backends._asyncio": _patch_anyio,
    "aiohttp._websocket.writer": _patch_aiohttp,
    "sqlite3.dbapi2": patch_sqlite,
    "sqlite3": patch_sqlite,
}


class _WhenImported(MetaPathFinder):
    """Finds a module of PATCHES as usual, and patches it when it has been executed."""

    # Any: a target or a loader of the import system.
    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if fullname not in PATCHES:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            loader.exec_module = _then(loader.exec_module, PATCHES[fullname])
        return spec


def _then(execute: Patch, patch: Patch) -> Patch:
    def execute_then_patch(module: ModuleType) -> None:
        execute(module)
        patch(module)

    return execute_then_patch


def watch_imports() -> None:
    """Apply the patches, now or when the modules are imported; once in a process."""
    if any(isinstance(finder, _WhenImported) for finder in sys.meta_path):
        return
    sys.meta_path.insert(0, _WhenImported())
    for name, patch in PATCHES.items():
        module = sys.modules.get(name)
        if module is not None:
            patch(module)
