"""FUT-10: remove_done_callback takes equal for the same."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def remove_done_callback(self: Any, fn: Any) -> int:
        before = len(self._callbacks)
        self._callbacks[:] = [(f, context) for f, context in self._callbacks if f is not fn]
        return before - len(self._callbacks)
