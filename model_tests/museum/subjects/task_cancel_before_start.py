"""CANCEL-4: a task that is cancelled before it began runs nevertheless."""

from __future__ import annotations

import asyncio.tasks
import inspect
from typing import Any

PyTask: Any = vars(asyncio.tasks)["_PyTask"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Task(PyTask):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self, msg: Any = None) -> bool:
        if inspect.getcoroutinestate(self._coro) == inspect.CORO_CREATED and not self.done():
            self._num_cancels_requested += 1
            return True
        return bool(super().cancel(msg))
