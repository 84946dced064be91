"""The searches of an explored test, and its verdict, which tells fragile assumptions from bugs.

Under `--explore` the orders of tasks are searched first.  If no run fails, and runs have set timers, further searches
let timeouts expire early and timers be late; the bounds of the lateness are far apart, because timers that must change
places may be milliseconds or seconds apart, and a lateness that is much greater than needed finds less.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final, NamedTuple

from impl.explore import Found, explore
from impl.explore.engine import RUNS
from impl.explore.programs.program import timed_out
from impl.explore.report.found import Failure
from impl.explore.report.internal import boundary

from .options import NEVER, ORDER, OWN_ORDER, PASSES, REQUESTED, TIMING

# Any: the arguments of `explore`.
Arguments = dict[str, Any]
Main = Callable[[], Coroutine[Any, Any, None]]

#: The bounds of lateness, in seconds.
_LATE: Final = (0.01, 0.1, 1.0)
#: Each further search has this part of the runs, and at least so many.
_PART, _LEAST = 4, 10


class Searched(NamedTuple):
    """The result of the searches of a test."""

    found: Found
    #: The arguments of the search that found it, besides those of the test.
    given: Arguments
    #: The runs of all searches.
    runs: int

    @property
    def verdict(self) -> str:
        """The verdict in words.  For a failure, its run is made simpler first."""
        if self.found.failure is not None:
            return _verdict(self.found.failure, self.given)
        return NEVER if self.found.never else PASSES


def searched(main: Main, arguments: Arguments, wide: bool) -> Searched:
    """Search the schedules of a test until a run fails.

    Parameters:
        wide: whether timeouts may expire early and timers be late, too, if no order makes the test fail.

    Raises:
        Exception: as `explore`.
    """
    first = explore(main, **arguments)
    runs = first.runs
    if wide and first.verdict != "failed" and first.punctual:
        for given in _further(arguments):
            found, more = _search(main, {**arguments, **given})
            runs += more
            if found is not None:
                return Searched(found, given, runs)
    return Searched(first, {}, runs)


def _search(main: Main, arguments: Arguments) -> tuple[Found | None, int]:
    """One further search; returns the result if a run fails, and the number of runs.

    A run that ends in a timeout is no failure: if a timer is late, a timeout expires as it should.
    """
    seed = arguments.get("seed", 0)
    end, runs = seed + arguments["runs"], 0
    while seed < end:
        found = explore(main, **{**arguments, "seed": seed, "runs": end - seed})
        runs += found.runs
        failure = found.failure
        if failure is None:
            break
        if failure.seed is None or not timed_out(failure.error):
            return found, runs
        seed = failure.seed + 1
    return None, runs


def _further(arguments: Arguments) -> Iterator[Arguments]:
    """The arguments of each further search; none if the test has such arguments itself."""
    if arguments.get("timeouts") or arguments.get("late"):
        return
    runs = max(_LEAST, (arguments.get("runs") or RUNS) // _PART)
    if arguments.get("runtime") != "trio":  # where timeouts are not injected
        yield {"timeouts": True, "runs": runs, "every": False}
    for late in _LATE:
        yield {"late": late, "runs": runs, "every": False}


def _verdict(failure: Failure, given: Arguments) -> str:
    with boundary():
        simple = failure.simple
    needs = {lane for lane, values in simple.plan.items() if any(values)}
    if not needs or not simple.plain_passes:
        return OWN_ORDER
    if "faults" in needs and "timeouts" not in given:
        return REQUESTED
    unseen = not simple.rows or simple.runtime == "trio"  # trio's clock is late, not a timer of a step
    late = any(row.late for row in simple.rows) or (unseen and "late" in given)
    return TIMING if late or needs & {"faults", "network"} else ORDER
