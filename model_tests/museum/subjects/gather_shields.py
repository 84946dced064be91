"""GATHER-4: cancelling a gather leaves its children alone."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.gather


def gather(*awaitables: Any, return_exceptions: bool = False) -> Any:
    return original(*map(asyncio.shield, awaitables), return_exceptions=return_exceptions)
