"""A subclass of asyncio's task with more attributes: when it was made and ended, and each request to cancel.

The documentation lists the methods of a task and does not forbid others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Task(asyncio.Task[Any]):
    def __init__(self, coro: Coroutine[Any, Any, Any], **kwargs: Any) -> None:
        self.requests: list[Any] = []
        self.ended_at: float | None = None
        super().__init__(coro, **kwargs)
        self.made_at = self.get_loop().time()
        self.add_done_callback(Task._note_end)

    def _note_end(self: asyncio.Task[Any]) -> None:
        assert isinstance(self, Task)
        self.ended_at = self.get_loop().time()

    def cancel(self, msg: Any = None) -> bool:
        self.requests.append(msg)
        return super().cancel(msg)

    @property
    def age(self) -> float:
        end = self.get_loop().time() if self.ended_at is None else self.ended_at
        return end - self.made_at
