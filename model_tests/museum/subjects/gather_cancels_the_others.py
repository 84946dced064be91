"""GATHER-2: the first exception cancels the others."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.gather


def gather(*awaitables: Any, return_exceptions: bool = False) -> Any:
    futures = [asyncio.ensure_future(awaitable) for awaitable in awaitables]

    def stop(future: Any) -> None:
        if not future.cancelled() and future.exception() is not None and not return_exceptions:
            for other in futures:
                other.cancel()

    for future in futures:
        future.add_done_callback(stop)
    return original(*futures, return_exceptions=return_exceptions)
