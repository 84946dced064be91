"""FUT-3: a callback that comes after the end is called at once."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def add_done_callback(self, fn: Any, *, context: Any = None) -> None:
        if self.done():
            fn(self)
        else:
            super().add_done_callback(fn, context=context)
