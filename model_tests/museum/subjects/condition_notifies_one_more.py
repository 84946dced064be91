"""COND-1: notify(n) wakes one waiter too many."""

from __future__ import annotations

import asyncio

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Condition(asyncio.Condition):
    def notify(self, n: int = 1) -> None:
        super().notify(n + 1)
