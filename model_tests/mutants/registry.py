"""All mutants."""

from __future__ import annotations

from typing import Final

from . import (
    barriers,
    combinators,
    conditions,
    crawlers,
    events,
    frontiers,
    futures,
    locks,
    queue_items,
    queues,
    semaphores,
    streams,
    taskgroups,
    tasks,
    timeouts,
)
from .mutant import DEFINED, Mutant

FILES: Final = (
    futures, tasks, queues, queue_items, locks, semaphores, conditions, events, barriers, combinators, timeouts,
    taskgroups, streams, frontiers, crawlers,
)  # fmt: skip
MUTANTS: Final[tuple[Mutant, ...]] = tuple(
    mutant for file in FILES for mutant in DEFINED if mutant.wrong.__module__ == file.__name__
)
BY_NAME: Final[dict[str, Mutant]] = {mutant.name: mutant for mutant in MUTANTS}


def replacing(*names: str) -> list[Mutant]:
    """The mutants that stand for one of these names."""
    return [mutant for mutant in MUTANTS if mutant.replaces in names]
