"""TIMEOUT-2: a cancel from outside comes out as TimeoutError."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Timeout(asyncio.Timeout):  # type: ignore[misc]  # final, but not at run time
    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await super().__aexit__(kind, error, trace)
        if kind is not None and issubclass(kind, asyncio.CancelledError):
            raise TimeoutError from error


def timeout(delay: Any) -> Timeout:
    return Timeout(None if delay is None else asyncio.get_running_loop().time() + delay)
