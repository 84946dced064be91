"""GROUP-2: of several failures only the first comes out."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class TaskGroup(asyncio.TaskGroup):
    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> Any:
        try:
            return await super().__aexit__(kind, error, trace)
        except BaseExceptionGroup as group:
            raise group.derive(group.exceptions[:1]) from None
