"""The predicates of barriers: as many tasks as there are parties continue, and no fewer."""

from __future__ import annotations

from collections.abc import Iterator

from .trace import Trace


def barriers(trace: Trace, barrier: str) -> Iterator[tuple[str, str]]:
    """Yield what is broken of a barrier."""
    parties, waits = trace.number(barrier, 0), trace.of(barrier, "wait", "__aenter__")
    waiting = sum(call.ended is None for call in waits)
    if parties and waiting >= parties:
        yield "BARRIER-1", f"{waiting} tasks wait at a barrier of {parties} parties"
    returned = min((call.ended or 0 for call in waits if call.returned), default=0)
    if parties and 0 < sum(call.begun < returned for call in waits) < parties:
        yield "BARRIER-1", "a task continued before all parties had come"
