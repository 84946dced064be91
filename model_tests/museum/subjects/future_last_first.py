"""FUT-5: the callbacks of a future run last in, first out."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    _callbacks: Any

    def set_result(self, result: Any) -> None:
        self._callbacks.reverse()
        super().set_result(result)
