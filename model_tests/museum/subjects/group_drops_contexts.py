"""TASK-11: a TaskGroup makes its tasks in the context of the body, whatever it was given."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class TaskGroup(asyncio.TaskGroup):
    def create_task(self, coro: Any, *, name: Any = None, context: Any = None) -> Any:
        return super().create_task(coro, name=name)
