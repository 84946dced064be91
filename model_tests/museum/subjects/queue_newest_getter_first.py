"""QUEUE-3: the getter that has waited least is woken first."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    def _wakeup_next(self: Any, waiters: Any) -> None:
        while waiters:
            waiter = waiters.pop()
            if not waiter.done():
                waiter.set_result(None)
                break
