"""FUT-12: callbacks of a future that is cancelled run in the context of who cancels it."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self: Any, msg: Any = None) -> bool:
        if not self.done():
            self._callbacks = [(fn, None) for fn, _ in self._callbacks]
        return bool(super().cancel(msg))
