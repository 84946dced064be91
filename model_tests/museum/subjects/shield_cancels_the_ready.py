"""SHIELD-2: a cancel of the shield goes on to an inner task that is ready."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


def shield(arg: Any) -> Any:
    inner = asyncio.ensure_future(arg)
    outer = asyncio.shield(inner)

    def ended(outer: Any) -> None:
        if outer.cancelled() and getattr(inner, "_fut_waiter", inner) is None:
            inner.cancel()

    outer.add_done_callback(ended)
    return outer
