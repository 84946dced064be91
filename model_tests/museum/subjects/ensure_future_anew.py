"""ENSURE-1: ensure_future makes a new task of a task."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.ensure_future


def ensure_future(what: Any, *, loop: Any = None) -> Any:
    async def wrapper() -> Any:
        return await what

    return original(wrapper() if asyncio.isfuture(what) else what, loop=loop)
