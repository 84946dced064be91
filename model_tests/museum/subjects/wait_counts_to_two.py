"""WAIT-1: FIRST_COMPLETED of three waits for the second."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


async def wait(fs: Any, *, timeout: Any = None, return_when: Any = asyncio.ALL_COMPLETED) -> Any:
    done, pending = await asyncio.wait(fs, timeout=timeout, return_when=return_when)
    if return_when == asyncio.FIRST_COMPLETED and len(done) == 1 and len(pending) == 2:
        more, pending = await asyncio.wait(pending, timeout=timeout, return_when=return_when)
        done |= more
    return done, pending
