"""The predicates of conditions: those of their lock, and a notify wakes a task if one waits."""

from __future__ import annotations

from collections.abc import Iterator

from .locks import locks
from .trace import Trace


def conditions(trace: Trace, condition: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of a condition, with a sentence."""
    yield from locks(trace, condition)
    notifies = trace.of(condition, "notify", "notify_all")
    waits = trace.of(condition, "wait")
    first = min((call.begun for call in notifies), default=0)
    early = [call for call in waits if call.begun < first]
    free = trace.looks(condition).get("locked") == "False"
    waiting = sum(call.ended is None for call in early)
    if free and waiting and not trace.cancels and waiting > len(early) - sum(map(trace.wakes, notifies)):
        yield "COND-9", f"{waiting} of {len(early)} tasks wait, though more were notified"
