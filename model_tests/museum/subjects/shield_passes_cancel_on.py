"""SHIELD-2: a cancel goes through the shield."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


def shield(arg: Any) -> Any:
    return asyncio.ensure_future(arg)
