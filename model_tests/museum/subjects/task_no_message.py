"""CANCEL-10: the message of a request is dropped on the way."""

from __future__ import annotations

import asyncio.tasks
from typing import Any

PyTask: Any = vars(asyncio.tasks)["_PyTask"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Task(PyTask):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self, msg: Any = None) -> bool:
        return bool(super().cancel())
