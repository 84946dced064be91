"""TIMEOUT-4: expired() says False."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Timeout(asyncio.Timeout):  # type: ignore[misc]  # final, but not at run time
    def expired(self) -> bool:
        return False


def timeout(delay: Any) -> Timeout:
    return Timeout(None if delay is None else asyncio.get_running_loop().time() + delay)
