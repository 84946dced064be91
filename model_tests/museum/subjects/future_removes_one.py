"""FUT-10: remove_done_callback removes the first of equal callbacks only."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def remove_done_callback(self, fn: Any) -> int:
        for place, (callback, _) in enumerate(self._callbacks):
            if callback == fn:
                del self._callbacks[place]
                return 1
        return 0
