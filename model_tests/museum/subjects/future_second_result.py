"""FUT-1: a second result replaces the first, and nobody is told."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def set_result(self, result: Any) -> None:
        if self.done() and not self.cancelled():
            self._result = result
        else:
            super().set_result(result)
