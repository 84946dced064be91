"""QUEUE-28: a LifoQueue gives the oldest item first."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class LifoQueue(asyncio.LifoQueue[Any]):
    def _get(self) -> Any:
        return vars(self)["_queue"].pop(0)
