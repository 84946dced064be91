"""CANCEL-9: cancelling() says one, however often a cancel was asked for."""

from __future__ import annotations

import asyncio.tasks
from typing import Any

PyTask: Any = vars(asyncio.tasks)["_PyTask"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Task(PyTask):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self: Any, msg: Any = None) -> bool:
        asked = bool(super().cancel(msg))
        self._num_cancels_requested = min(1, self._num_cancels_requested)
        return asked
