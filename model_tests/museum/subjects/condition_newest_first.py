"""COND-1: notify() wakes the newest waiter."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Condition(asyncio.Condition):
    def notify(self: Any, n: int = 1) -> None:
        self._waiters.reverse()
        super().notify(n)
        self._waiters.reverse()
