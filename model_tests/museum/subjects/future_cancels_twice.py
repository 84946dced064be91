"""FUT-1: a future that has its result can still be cancelled."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self, msg: Any = None) -> bool:
        if self.done() and not self.cancelled():
            self._state = "CANCELLED"
            return True
        return bool(super().cancel(msg))
