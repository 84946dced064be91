"""The catalogue of vectors, family by family."""

from __future__ import annotations

from itertools import chain
from typing import Final

from ..vector import Vector
from . import (
    barriers,
    cancels,
    conditions,
    events,
    futures,
    gathers,
    group_cancels,
    group_ends,
    groups,
    handovers,
    joins,
    locks,
    queues,
    semaphores,
    shields,
    tasks,
    timeouts,
    waitfors,
    waits,
)

FAMILIES: Final = (
    *(futures, tasks, cancels, shields, locks, semaphores, conditions, events, barriers, queues),
    *(joins, timeouts, waitfors, gathers, waits, groups, group_ends, group_cancels, handovers),
)

CATALOGUE: Final[tuple[Vector, ...]] = tuple(chain.from_iterable(family.VECTORS for family in FAMILIES))
