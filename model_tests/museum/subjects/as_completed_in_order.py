"""ASDONE-1: as_completed gives what was named first first."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


def as_completed(fs: Any, *, timeout: Any = None) -> Any:
    return iter([asyncio.ensure_future(future) for future in fs])
