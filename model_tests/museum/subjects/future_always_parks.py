"""FUT-4: awaiting a future that is done gives up the turn."""

from __future__ import annotations

import asyncio.futures
from typing import Any

PyFuture: Any = vars(asyncio.futures)["_PyFuture"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Future(PyFuture):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def __await__(self) -> Any:
        self._asyncio_future_blocking = True
        yield self
        return self.result()
