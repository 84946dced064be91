"""Teaching code: the exact duration of a run if only waiting takes time.

One after the other, the pages take the sum of their latencies.  With W workers, each of which takes the next page when
it is free, they take the time of list scheduling (Graham, 1966).  In the simulated environment these are equalities.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapreplace


def makespan(latencies: Iterable[int], workers: int) -> int:
    """The end of the last page if each goes to the worker that is free first, in the unit of the latencies.

    Raises ValueError when there is no worker.
    """
    if workers < 1:
        raise ValueError(f"{workers} workers fetch nothing")
    free = [0] * workers
    for latency in latencies:
        heapreplace(free, free[0] + latency)
    return max(free)
