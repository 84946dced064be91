"""Teaching code: how long it takes, exactly, if nothing but waiting takes time.

Theory of operation.  One after the other, the pages take the sum of their latencies.  With W workers, each of which
takes the next page as soon as it is free, they take what list scheduling gives (Graham, 1966).  In the simulated world
these are equalities, not estimates.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapreplace


def makespan(latencies: Iterable[int], workers: int) -> int:
    """When the last of the pages is done, if each goes to the worker that is free first; any unit of time.

    Raises ValueError when there is no worker.
    """
    if workers < 1:
        raise ValueError(f"{workers} workers fetch nothing")
    free = [0] * workers
    for latency in latencies:
        heapreplace(free, free[0] + latency)
    return max(free)
