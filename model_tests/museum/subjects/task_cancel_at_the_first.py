"""CANCEL-1: cancel() does not reach what the task awaits; it is thrown in the next turn."""

from __future__ import annotations

import asyncio.tasks
from typing import Any

PyTask: Any = vars(asyncio.tasks)["_PyTask"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Task(PyTask):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def cancel(self: Any, msg: Any = None) -> bool:
        if self.done():
            return False
        if self._fut_waiter is not None and not self._fut_waiter.done():
            self._num_cancels_requested += 1
            waiter, self._fut_waiter = self._fut_waiter, None
            waiter.remove_done_callback(self._Task__wakeup)
            self._loop.call_soon(self._Task__step, asyncio.CancelledError())
            return True
        return bool(super().cancel(msg))
