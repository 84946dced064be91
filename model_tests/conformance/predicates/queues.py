"""The predicates of queues: items are neither lost nor made, and no task waits in vain."""

from __future__ import annotations

from collections.abc import Iterator

from .trace import Trace, overtaken

PUTS = ("put", "put_nowait")
GETS = ("get", "get_nowait")


def queues(trace: Trace, queue: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of a queue that is not shut down, with a sentence."""
    puts, gets = trace.of(queue, *PUTS), trace.of(queue, *GETS)
    size = trace.looks(queue).get("qsize", "")
    if trace.of(queue, "shutdown") or not size.isdecimal():
        return
    put, got, left = (sum(call.returned for call in puts), sum(call.returned for call in gets), int(size))
    perhaps = sum(not call.returned for call in puts)
    if put > got + left:
        yield "QUEUE-1", f"an item was lost: {put} put, {got} got, {left} left"
    if put + perhaps < got + left:
        yield "QUEUE-1", f"an item was doubled: {put} put, {got} got, {left} left"
    for call in trace.of(queue, "get"):
        if call.ended is None and left:
            yield "QUEUE-5", "a getter waits, though an item is in the queue"
    bound = trace.number(queue, 0)
    for call in trace.of(queue, "put"):
        if call.ended is None and bound is not None and not 0 < bound <= left:
            yield "QUEUE-21", "a putter waits, though there is room in the queue"
    yield from joins(trace, queue)
    if any(overtaken(trace.of(queue, way), newcomers=False) for way in ("get", "put")):
        yield "QUEUE-3", "a task was served before one that had waited longer"


def joins(trace: Trace, queue: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of Queue.join, with a sentence."""
    counts, count = [0] * (len(trace.lines) + 1), 0
    every = [call for call in trace.of(queue, *PUTS, "task_done") if call.returned]
    changes = {call.ended: (call.method != "task_done") * 2 - 1 for call in every}
    for place in range(len(trace.lines)):
        count += changes.get(place, 0)
        counts[place] = count
    counts[-1] = count
    for call in trace.of(queue, "join"):
        if call.returned and min(counts[call.begun : call.ended]) > 0:
            yield "QUEUE-6", "a join returned, though an item was unfinished all the time"
        if call.ended is None and count == 0 and all(each.returned for each in trace.of(queue, *PUTS)):
            yield "QUEUE-7", "a join waits, though nothing is unfinished"
