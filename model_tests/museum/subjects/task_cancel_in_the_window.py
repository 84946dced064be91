"""CANCEL-2: a cancel between the wake-up of a task and its turn is lost."""

from __future__ import annotations

import asyncio.tasks
from typing import Any

PyTask: Any = vars(asyncio.tasks)["_PyTask"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Task(PyTask):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self, msg: Any = None) -> bool:
        waiter = self._fut_waiter
        if not self.done() and waiter is not None and waiter.done():
            self._num_cancels_requested += 1
            return True
        return bool(super().cancel(msg))
