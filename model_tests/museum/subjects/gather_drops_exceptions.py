"""GATHER-3: with return_exceptions an exception becomes None."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.gather


def gather(*awaitables: Any, return_exceptions: bool = False) -> Any:
    if not return_exceptions:
        return original(*awaitables)

    async def dropped() -> Any:
        results = await original(*awaitables, return_exceptions=True)
        return [None if isinstance(result, Exception) else result for result in results]

    return asyncio.ensure_future(dropped())
