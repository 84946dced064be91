"""EVENT-1: set() wakes the oldest waiter only."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Event(asyncio.Event):
    def set(self: Any) -> None:
        self._value = True
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(True)
                break
