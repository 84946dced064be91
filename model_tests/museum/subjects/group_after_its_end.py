"""GROUP-7: a task can be added to a group that is over."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class TaskGroup(asyncio.TaskGroup):
    def create_task(self: Any, coro: Any, **keywords: Any) -> Any:
        if self._exiting and not self._tasks:
            return asyncio.get_running_loop().create_task(coro)
        return super().create_task(coro, **keywords)
