"""FUT-5: what is registered while the callbacks run comes before them."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def add_done_callback(self, fn: Any, *, context: Any = None) -> None:
        if self.done():
            super().add_done_callback(fn, context=context)
        else:
            super().add_done_callback(fn, context=context)
            self._callbacks.insert(0, self._callbacks.pop())
