"""Programs of several tests, and the failure of one."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import ModuleType
from typing import Any

import impl
from impl.explore import Found, explore, sometimes
from impl.explore.programs.program import RuntimeName
from impl.explore.report.found import Failure

from ...examples import races
from ...programs.substitution import substituted
from ...programs.tables import texts

# Any in this file: results of programs, and the options of `explore`.
Main = Callable[[], Coroutine[Any, Any, Any]]

#: The files of programs that tests write.
FILES = texts(Path(__file__).with_name("programs.txt"))
RUNTIMES: tuple[RuntimeName, ...] = ("impl", "asyncio")
#: By runtime, asyncio's names and the classic races.
NAMES: dict[str, Any] = {"impl": impl, "asyncio": asyncio}
RACES: dict[str, ModuleType] = {"impl": substituted(races, impl), "asyncio": races}


def failure_of(program: Main, **options: Any) -> Failure:
    """Return the failure that a search finds."""
    failure = explore(program, **options).failure
    assert failure is not None
    return failure


def outcome(found: Found) -> str:
    """Return how the failed run ended, or nothing."""
    return "" if found.failure is None else found.failure.outcome


async def never_third() -> None:
    """Two tasks, a probe that holds in some schedules, and one that holds in none."""
    order: list[int] = []

    async def note(number: int) -> None:
        order.append(number)

    await asyncio.gather(note(1), note(2))
    sometimes(order == [2, 1], "the second is first")
    sometimes(len(order) == 3, "there is a third")
