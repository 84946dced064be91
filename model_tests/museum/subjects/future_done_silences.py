"""FUT-9: who asks whether a future is done has heard of its exception."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def done(self: Any) -> bool:
        self._log_traceback = False
        return bool(super().done())
