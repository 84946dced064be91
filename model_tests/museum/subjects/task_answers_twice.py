"""CANCEL-1: a request that went to an awaited task which is ready is thrown in who awaits it, too."""

from __future__ import annotations

import asyncio.tasks
from typing import Any

PyTask: Any = vars(asyncio.tasks)["_PyTask"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Task(PyTask):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self: Any, msg: Any = None) -> bool:
        inner: Any = self._fut_waiter
        asked = bool(super().cancel(msg))
        if inner is not None and not inner.done() and getattr(inner, "_fut_waiter", inner) is None:
            self._must_cancel = True
        return asked
