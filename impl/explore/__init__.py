"""Explore: run a program under many schedules to find the race in it.

    from impl.explore import explore

    found = explore(main)            # 200 schedules of an unmodified asyncio program
    print(found.report())
    found = explore(main, every=True)    # every schedule, or one of each class of equivalent ones

`explore(..., runtime="impl")` is for programs of impl, `runtime="trio"` for trio's.
"""

from .choices.odometer import KeepsState
from .engine import explore, outcomes
from .programs.leaks import Leaked
from .programs.probes import ProbeFailed, always, eventually, sometimes
from .report.found import CannotExplore, Failure, Found, Seen
from .search.options import Options

__all__ = [
    "CannotExplore",
    "Failure",
    "Found",
    "KeepsState",
    "Leaked",
    "Options",
    "ProbeFailed",
    "Seen",
    "always",
    "eventually",
    "explore",
    "outcomes",
    "sometimes",
]
