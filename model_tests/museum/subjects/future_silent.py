"""FUT-9: an exception that nobody asked for is not reported."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def set_exception(self, exception: Any) -> None:
        super().set_exception(exception)
        self._Future__log_traceback = False
