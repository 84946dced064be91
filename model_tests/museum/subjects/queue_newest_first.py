"""QUEUE-1: the newest item is got first."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    def _get(self) -> Any:
        return vars(self)["_queue"].pop()
