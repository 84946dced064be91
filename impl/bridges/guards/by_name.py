"""Replaces functions in modules that imported them by name before a simulation (`from time import monotonic`).

Such a module would read the real clock while its loop runs in virtual time: aiohttp's connection pool, for example,
would never find a connection that was idle for too long.  So the globals of each module are searched once, when the
module is first seen.  The replacements stay, because they behave as the originals wherever no simulated loop runs.
Locks that a module has at its top level are replaced, too.  The modules of the standard library are left alone
(threading measures waits for real locks), and so is this package.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, TypeAlias

from . import locks

#: An original or a replacement.
AnyFunction: TypeAlias = Any


class ByName:
    """Originals and their replacements."""

    def __init__(self, pairs: Iterable[tuple[AnyFunction, AnyFunction]]) -> None:
        """`pairs`: (original, replacement)."""
        self._pairs = {id(old): (old, new) for old, new in pairs}
        self._seen: set[str] = set()
        self._size = 0

    def look(self) -> None:
        """Search the modules that were imported since the last call."""
        if len(sys.modules) == self._size:
            return
        for name, module in list(sys.modules.items()):
            if name not in self._seen:
                self._seen.add(name)
                if not keeps(name):
                    self._replace(getattr(module, "__dict__", {}))
        self._size = len(sys.modules)

    def _replace(self, names: dict[str, AnyFunction]) -> None:
        for name, value in list(names.items()):
            old, new = self._pairs.get(id(value), (None, None))
            if new is not None and value is old:
                names[name] = new
            elif type(value) is locks.REAL or (type(value) is locks.REAL_RLOCK and locks.is_free(value)):
                names[name] = locks.standing_for(value)


def keeps(name: str) -> bool:
    """Whether nothing is replaced in the module of that name."""
    # Not errors.PACKAGE: own_packages.py may have renamed it.
    ours = __package__.removesuffix(".bridges.guards")
    return name.partition(".")[0] in sys.stdlib_module_names or f"{name}.".startswith(f"{ours}.")
