"""The default search finds each classic race within 100 runs, the hardest within 1,000, from any seed on."""

from __future__ import annotations

from typing import Any

import pytest

from impl.explore import explore
from impl.explore.programs.program import RuntimeName

from .programs import RACES, RUNTIMES

#: The sums of the numbers of runs to the first failure, over the first 5 and over 50 seeds to begin with.  They are
#: the same on both loops and on every Python; a strategy that changes changes them.
RUNS = {
    "lost_update": (43, 379),
    "two_locks": (37, 333),
    "swallowed_cancel": (47, 429),
    "dead_consumer": (12, 140),
    "item_lost": (26, 330),
    "seen_set": (18, 264),
    "two_sleeps": (34, 350),
    "three_switches": (923, 5913),
}
HARDEST = "three_switches"


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("name", RUNS)
def test_the_default_search_finds_each_race(name: str, runtime: RuntimeName, full: bool) -> None:
    program, needed = getattr(RACES[runtime], name), []
    how: Any = {"runs": 1000 if name == HARDEST else 100, "late": 0.02 if name == "two_sleeps" else 0.0}
    for number in range(50 if full else 5):
        found = explore(program, runtime=runtime, seed=1 + 1000 * number, **how)
        needed.append(found.runs if found.failure is not None else None)
    assert None not in needed, needed
    assert sum(map(int, filter(None, needed))) == RUNS[name][full], needed
