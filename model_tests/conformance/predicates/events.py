"""The predicates of events: a set wakes every waiter, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterator

from .trace import Trace


def events(trace: Trace, event: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of an event, with a sentence."""
    sets = [call.ended or 0 for call in trace.of(event, "set")]
    for call in trace.of(event, "wait"):
        if call.ended is None and trace.looks(event).get("is_set") == "True":
            yield "EVENT-9", "a task waits for an event that is set"
        if call.ended is None and any(place > call.begun for place in sets):
            yield "EVENT-1", "a set did not wake a task that waited"
        if call.returned and not any(place < (call.ended or 0) for place in sets):
            yield "EVENT-11", "a wait returned before the event was set"
