"""CANCEL-1: cancel() of a task that is done says True."""

from __future__ import annotations

import asyncio.tasks
from typing import Any

PyTask: Any = vars(asyncio.tasks)["_PyTask"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Task(PyTask):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self, msg: Any = None) -> bool:
        super().cancel(msg)
        return True
