"""TIMEOUT-5: a deadline that is past never strikes."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Timeout(asyncio.Timeout):  # type: ignore[misc]  # final, but not at run time
    pass


def timeout(delay: Any) -> Timeout:
    late = delay is None or delay <= 0
    return Timeout(None if late else asyncio.get_running_loop().time() + delay)
