"""CANCEL-3: a task that cancels itself hears nothing of it."""

from __future__ import annotations

import asyncio.tasks
from typing import Any

PyTask: Any = vars(asyncio.tasks)["_PyTask"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Task(PyTask):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self, msg: Any = None) -> bool:
        if asyncio.tasks.current_task() is self:
            self._num_cancels_requested += 1
            return True
        return bool(super().cancel(msg))
