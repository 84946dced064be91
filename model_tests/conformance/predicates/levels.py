"""The predicates of events and barriers: a set wakes every waiter, and so does the last of as many tasks as parties."""

from collections import Counter
from collections.abc import Iterator

from .trace import Trace


def events(trace: Trace, event: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of an event, with a sentence."""
    sets = [call.ended or 0 for call in trace.of(event, "set")]
    for call in trace.of(event, "wait"):
        if call.ended is None and trace.looks(event).get("is_set") == "True":
            yield "EVENT-9", "a task waits for an event that is set"
        if call.ended is None and any(place > call.begun for place in sets):
            if trace.of(event, "clear"):
                yield "EVENT-4", "a set did not wake a task that waited, as the event was cleared again"
            yield "EVENT-1", "a set did not wake a task that waited"
        if call.returned and not any(place < (call.ended or 0) for place in sets):
            yield "EVENT-11", "a wait returned before the event was set"


def barriers(trace: Trace, barrier: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of a barrier, with a sentence."""
    parties, waits = trace.number(barrier, 0), trace.of(barrier, "wait", "__aenter__")
    waiting = sum(call.ended is None for call in waits)
    if parties and waiting >= parties:
        yield "BARRIER-1", f"{waiting} tasks wait at a barrier of {parties} parties"
    if trace.looks(barrier).get("n_waiting", "").startswith("-"):
        yield "BARRIER-1", "the number of tasks that wait at a barrier is negative"
    passed = [call for call in waits if call.returned and call.ended]
    first = min((call.ended or 0 for call in passed), default=0)
    if parties and 0 < sum(call.begun < first for call in waits) < parties:
        yield "BARRIER-1", "a task continued before all parties had come"
    elif parties and len(passed) > parties * (len(waits) // parties):
        said = f"{len(passed)} of {len(waits)} waits have ended at a barrier of {parties} parties"
        yield "BARRIER-5", said
        yield "BARRIER-1", said
    numbers = Counter(call.outcome for call in passed if call.method == "wait")
    if parties and any(times > max(1, len(waits) // parties) for times in numbers.values()):
        yield "BARRIER-1", "two tasks of a round have the same number"
