"""Patches of libraries that make them deterministic, applied when the library is imported.

A program, or a library such as httpx, may import another one at any time.  So a patch is applied when its module is
imported, by a finder that the first simulated loop registers before the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final, TypeAlias

from . import aiohttp, anyio

Patch: TypeAlias = Callable[[ModuleType], None]

#: The module of a library -> its patch.
PATCHES: Final[dict[str, Patch]] = {aiohttp.MODULE: aiohttp.patch, anyio.MODULE: anyio.patch}


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
