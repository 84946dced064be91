"""The predicates of barriers: as many tasks as there are parties continue, and no fewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .trace import Trace


def barriers(trace: Trace, barrier: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of a barrier, with a sentence."""
    parties, waits = trace.number(barrier, 0), trace.of(barrier, "wait", "__aenter__")
    waiting = sum(call.ended is None for call in waits)
    if parties and waiting >= parties:
        yield "BARRIER-1", f"{waiting} tasks wait at a barrier of {parties} parties"
    passed = [call for call in waits if call.returned and call.ended]
    first = min((call.ended or 0 for call in passed), default=0)
    if parties and 0 < sum(call.begun < first for call in waits) < parties:
        yield "BARRIER-1", "a task continued before all parties had come"
    numbers = Counter(call.outcome for call in passed if call.method == "wait")
    if parties and any(times > max(1, len(waits) // parties) for times in numbers.values()):
        yield "BARRIER-1", "two tasks of a round have the same number"
