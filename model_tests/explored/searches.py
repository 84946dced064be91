"""The verdict of an explored test, which tells fragile assumptions from bugs."""

from __future__ import annotations

from impl.explore import Found
from impl.explore.report.internal import boundary

from .options import NEVER, ORDER, OWN_ORDER, PASSES, REQUESTED, TIMING


def verdict_of(found: Found) -> str:
    """The verdict in words.  Of a failure, the run is made simpler first."""
    if found.failure is None:
        return NEVER if found.never else PASSES
    with boundary():
        simple = found.failure.simple
    needs = {lane for lane, values in simple.plan.items() if any(values)}
    inject = found.failure.program.setup.inject
    if inject.collect:
        return TIMING
    if not needs or not simple.plain_passes:
        # Functions for threads ran inline: where another order passes, it is a matter of how long they take.
        return TIMING if found.threads and simple.passing is not None else OWN_ORDER
    if "faults" in needs and not inject.late_freely:
        return REQUESTED
    unseen = not simple.rows or simple.runtime == "trio"  # trio's clock is late, not a timer of a step
    late = any(row.late for row in simple.rows) or (unseen and bool(inject.late_ms_max))
    return TIMING if late or needs & {"faults", "network"} else ORDER
