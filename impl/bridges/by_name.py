"""What modules took by name, before the fence stood (`from time import monotonic`), is replaced there as well.

Theory of operation.  A module that was imported earlier holds the function itself, and would read the real clock
beside a loop that lives in virtual time: aiohttp's pool of connections, for one, then never finds that one of them
was idle for too long.  So each module's globals are looked through once, when it is first seen, and what stands there
stays: a replacement is the original wherever no simulated loop runs.  The standard library's own modules keep what
they have (threading measures waits of real locks by it), as does this package, which knows of both clocks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ..errors import PACKAGE

# Any in this file: functions of many types.


class ByName:
    """Originals and what takes their places in modules."""

    def __init__(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        """`pairs`: (original, replacement)."""
        self._pairs = {id(old): (old, new) for old, new in pairs}
        self._seen: set[str] = set()
        self._size = 0

    def look(self) -> None:
        """Look through the modules that have come since."""
        if len(sys.modules) == self._size:
            return
        for name, module in list(sys.modules.items()):
            if name not in self._seen:
                self._seen.add(name)
                if not _keeps(name):
                    self._replace(getattr(module, "__dict__", {}))
        self._size = len(sys.modules)

    def _replace(self, names: dict[str, Any]) -> None:
        for name, value in list(names.items()):
            old, new = self._pairs.get(id(value), (None, None))
            if new is not None and value is old:
                names[name] = new


def _keeps(name: str) -> bool:
    """Whether nothing is replaced in the module of that name."""
    return name.partition(".")[0] in sys.stdlib_module_names or f"{name}.".startswith(f"{PACKAGE}.")
