"""The predicates of queues: items are neither lost nor made, and no task waits in vain."""

from collections.abc import Callable, Iterator
from typing import Final

from .trace import Call, Trace, overtaken

PUTS = ("put", "put_nowait")
GETS = ("get", "get_nowait")
#: By the class of a queue: the rule of its order, and which of its items, oldest first, is the next one.
ORDERS: Final[dict[str, tuple[str, Callable[[list[int]], int]]]] = {
    "Queue": ("QUEUE-1", lambda items: items[0]),
    "LifoQueue": ("QUEUE-28", lambda items: items[-1]),
    "PriorityQueue": ("QUEUE-29", min),
}


def queues(trace: Trace, queue: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of a queue that is not shut down, with a sentence."""
    puts, gets = trace.of(queue, *PUTS), trace.of(queue, *GETS)
    size = trace.looks(queue).get("qsize", "")
    if not size.isdecimal():
        return
    if trace.of(queue, "shutdown"):
        yield from shut(trace, queue, int(size))
        yield from joins(trace, queue)
        return
    room = trace.number(queue, 0) or 0
    for call in trace.of(queue, "put_nowait") if room > 0 else ():
        before = sum(each.returned and (each.ended or 0) < call.begun for each in puts)
        if call.returned and before - sum(each.begun < call.begun for each in gets) >= room:
            yield "QUEUE-25", "put_nowait() returned, though the queue was full"
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
    if bound and 0 < bound < left and not trace.cancels and not trace.of(queue, "put_nowait"):
        yield "QUEUE-2", f"a queue with a maxsize of {bound} holds {left}"
    if bound is not None and bound <= 0 and is_full(trace, queue):
        yield "QUEUE-9", f"a queue with a maxsize of {bound} is full"
    for call in trace.of(queue, "put"):
        if call.ended is None and bound is not None and not 0 < bound <= left:
            yield "QUEUE-21", "a putter waits, though there is room in the queue"
    yield from joins(trace, queue)
    yield from in_order(trace, queue)
    if any(overtaken(trace.of(queue, way), newcomers=False) for way in ("get", "put")):
        yield "QUEUE-3", "a task was served before one that had waited longer"


def joins(trace: Trace, queue: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of Queue.join and task_done, with a sentence."""
    counts = unfinished(trace, queue)
    #: Whether no task has waited.  One that waits may be handed an item, or its item added, before it runs.
    known = all(each.at_once for each in trace.of(queue, *PUTS, *GETS))
    for call in trace.of(queue, "task_done"):
        before = counts[call.ended - 1] if call.ended else 0
        if before > 0 and "ValueError" in call.outcome:
            yield "QUEUE-14", f"task_done() raised ValueError, though something is unfinished: {before}"
        if before <= 0 and call.returned and known:
            yield "QUEUE-8", "task_done() was accepted, though nothing is unfinished"
    for call in trace.of(queue, "join"):
        if call.returned and min(counts[call.begun : call.ended]) > 0:
            shut = any(each.method == "shutdown" for each in trace.calls[: trace.calls.index(call)])
            rule = "QUEUE-37" if shut else "QUEUE-39" if call.at_once else "QUEUE-6"
            yield rule, "a join returned, though an item was unfinished all the time"
        puts = trace.of(queue, *PUTS)
        ended = all(each.returned or refused(each) for each in puts)
        if call.ended is None and counts[-1] == 0 and ended and (known or not trace.of(queue, "shutdown")):
            yield (
                "QUEUE-25" if any(map(refused, puts)) else "QUEUE-7",
                "a join waits, though nothing is unfinished",
            )


def unfinished(trace: Trace, queue: str) -> list[int]:
    """Return how many items are unfinished after each line, and at the end, at the least."""
    calls = {call.ended: call for call in trace.of(queue, *PUTS, *GETS, "task_done", "shutdown") if call.returned}
    counts, count, inside = [0], 0, 0
    for place in range(len(trace.lines)):
        method = calls[place].method if place in calls else ""
        if method == "shutdown" and "True" in calls[place].argument:
            count, inside = count - inside, 0  # a discarded item counts as done
        count = max(0, count + (method in PUTS) - (method == "task_done"))
        inside += (method in PUTS) - (method in GETS)
        counts.insert(-1, count)
        counts[-1] = count
    return counts


def refused(put: Call) -> bool:
    """Whether a put was refused, and so has put nothing."""
    return "QueueFull" in put.outcome or "QueueShutDown" in put.outcome


def shut(trace: Trace, queue: str, left: int) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of a queue that is shut down once, with a sentence; `left` items are in it at the end."""
    first, *more = trace.of(queue, "shutdown")
    if more or first.ended is None or not first.returned:
        return
    items = not trace.cancels and left  # a cancelled getter may give an item back
    at_once = "True" in first.argument
    for call in trace.of(queue, *PUTS, *GETS):
        room = any(call.begun < (get.ended or 0) < first.ended for get in trace.of(queue, *GETS) if get.returned)
        late = call.begun > first.ended or not (room or call.at_once or (call.ended or 0) < first.ended)
        if call.ended is None:
            yield "QUEUE-32", f"a task waits in {call.method}() of a queue that is shut down"
        elif late and call.method in PUTS and call.returned:
            yield "QUEUE-30", "an item was put after the shutdown"
        elif call.method in GETS and "QueueShutDown" in call.outcome and items and not at_once:
            yield "QUEUE-38", f"{call.method}() is refused, though an item is in the queue"
    if at_once and items:
        yield "QUEUE-31", "an item is in a queue that was shut down at once"


def is_full(trace: Trace, queue: str) -> bool:
    """Whether a queue says that it is full, refuses a put, or lets one wait."""
    if trace.looks(queue).get("full") == "True":
        return True
    refused = any("QueueFull" in call.outcome for call in trace.of(queue, "put_nowait"))
    return refused or any(call.ended is None for call in trace.of(queue, "put"))


def in_order(trace: Trace, queue: str) -> Iterator[tuple[str, str]]:
    """Yield the broken rule of the order of a queue, with a sentence.

    Only gets that return at once are looked at, of items that were put at once and are numbers, while no getter waits:
    a task that waits may be handed an item before it runs.
    """
    rule, following = ORDERS[trace.things[queue]]
    calls = sorted(trace.of(queue, *PUTS, *GETS), key=lambda call: call.ended or len(trace.lines))
    if not all(call.at_once and (call.method in GETS or call.argument.isdecimal()) for call in calls):
        return
    items: list[int] = []
    for call in filter(lambda call: call.returned, calls):
        if call.method in PUTS:
            items.append(call.number)
        elif items and call.outcome != str(following(items)):
            yield rule, f"{call.method}() returned {call.outcome}, and not {following(items)}, of {items}"
            return
        elif items:
            items.remove(following(items))
