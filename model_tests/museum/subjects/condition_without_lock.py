"""COND-3: notify() works without the lock."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Condition(asyncio.Condition):
    def notify(self: Any, n: int = 1) -> None:
        if self.locked():
            super().notify(n)
