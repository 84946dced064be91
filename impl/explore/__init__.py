"""Explore: run a program under many schedules to find the race in it.

    from impl.explore import explore

    found = explore(main)            # 200 schedules of an unmodified asyncio program
    print(found.report())
    found = explore(main, every=True)    # every schedule, if there are not too many

`explore(..., runtime="impl")` is for programs of impl, `runtime="trio"` for trio's.
"""

from .engine import explore, outcomes
from .found import Failure, Found, Seen
from .odometer import KeepsState

__all__ = ["Failure", "Found", "KeepsState", "Seen", "explore", "outcomes"]
