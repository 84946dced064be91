"""GATHER-1: gather gives the results in the order in which they came."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


def gather(*awaitables: Any, return_exceptions: bool = False) -> Any:
    came: list[Any] = []
    futures = [asyncio.ensure_future(awaitable) for awaitable in awaitables]
    for future in futures:
        future.add_done_callback(came.append)

    async def sorted_results() -> Any:
        results = await inner
        return [
            result for _, result in sorted(zip(futures, results, strict=True), key=lambda r: came.index(r[0]))
        ]

    inner = original(*futures, return_exceptions=return_exceptions)
    return asyncio.ensure_future(sorted_results()) if len(set(futures)) > 1 else inner


original = asyncio.gather
