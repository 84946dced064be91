"""QUEUE-8: task_done() may be called too often."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    def task_done(self: Any) -> None:
        if self._unfinished_tasks > 0:
            super().task_done()
