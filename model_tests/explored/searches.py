"""The search of an explored test, and its verdict, which tells fragile assumptions from bugs."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from impl.explore import Found, explore
from impl.explore.report.found import Failure
from impl.explore.report.internal import boundary

from .options import NEVER, ORDER, OWN_ORDER, PASSES, REQUESTED, TIMING

# Any: the arguments of `explore`.
Arguments = dict[str, Any]
Main = Callable[[], Coroutine[Any, Any, None]]


class Searched(NamedTuple):
    """The result of the search of a test."""

    found: Found
    #: The arguments of the search that found it, besides those of the test.
    given: Arguments
    #: The number of runs.
    runs: int

    @property
    def verdict(self) -> str:
        """The verdict in words.  For a failure, its run is made simpler first."""
        if self.found.failure is not None:
            return _verdict(self.found.failure)
        return NEVER if self.found.never else PASSES


def searched(main: Main, arguments: Arguments) -> Searched:
    """Search the schedules of a test until a run fails.

    Raises:
        Exception: as `explore`.
    """
    found = explore(main, **arguments)
    return Searched(found, {}, found.runs)


def _verdict(failure: Failure) -> str:
    with boundary():
        simple = failure.simple
    needs = {lane for lane, values in simple.plan.items() if any(values)}
    inject = failure.program.setup.inject
    if not needs or not simple.plain_passes:
        return OWN_ORDER
    if "faults" in needs and not inject.late_freely:
        return REQUESTED
    unseen = not simple.rows or simple.runtime == "trio"  # trio's clock is late, not a timer of a step
    late = any(row.late for row in simple.rows) or (unseen and bool(inject.late_ms_max))
    return TIMING if late or needs & {"faults", "network"} else ORDER
