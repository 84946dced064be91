"""Wrong asyncio.TaskGroup, gather and shield: which errors come out, and what a cancelled child does."""

from __future__ import annotations

from typing import Any

from .._parts import TaskGroup


class TaskGroupThatForgetsToUncancel(TaskGroup):
    """The group cancels its parent when a task fails, and does not take that request back.

    Breaks taskgroups.py, __aexit__(): "If this flag is set we *must* call uncancel()."; "If end-user code is, for some
    reason, suppressing cancellation by catching CancelledError, it needs to call this method to remove the
    cancellation state." (asyncio-task.html, Task.uncancel())
    """

    def _on_task_done(self, task: Any) -> None:
        super()._on_task_done(task)
        self._parent_cancel_requested = False
