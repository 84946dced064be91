"""Programs that depend on hashes or addresses, which no run decides: their tokens are refused where these differ."""

import asyncio
from typing import Any, Final

from . import Programs

# `Any`: see __init__.py.

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
    padding: list[Plain] = []

    def plain(number: int) -> Plain:
        # So that the distances differ for certain.
        padding.extend(Plain(0) for _ in range(hash(f"{number}") % 5))
        return Plain(number)

    for each in {plain(number) for number in range(40)}:
        await asyncio.sleep(each.number)
        log.append(each.number)
    return [*log, len(padding)]
