"""QUEUE-7: a join that was released once is never armed again."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    def put_nowait(self: Any, item: Any) -> None:
        was_set = self._finished.is_set() and "seen" in vars(self)
        super().put_nowait(item)
        vars(self)["seen"] = True
        if was_set:
            self._finished.set()
