"""Programs that depend on hashes or addresses, which no run decides: their tokens are refused where these differ."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from .registry import Programs

# `Any`: see registry.py.

program: Final = Programs()


@program
async def set_of_strings() -> Any:
    log = []
    for name in {"a", "bb", "ccc", "dddd", "eeeee", "ffffff"}:
        await asyncio.sleep(len(name))
        log.append(name)
    return log


class Plain:
    """An object that hashes by its address."""

    def __init__(self, number: int) -> None:
        self.number = number


@program
async def set_of_objects() -> Any:
    log = []
    padding = [
        bytearray(hash(f"{number}") % 1000) for number in range(100)
    ]  # so that addresses differ for certain
    for each in {Plain(number) for number in range(40)}:
        await asyncio.sleep(each.number)
        log.append(each.number)
    return [*log, len(padding)]
