"""The predicates of locks, semaphores and conditions: permits are neither lost nor made, and are given in order.

Those of a condition are the predicates of its lock, and that a notify wakes a task if one waits.
"""

from collections.abc import Iterator

from .trace import Call, Trace, overtaken

TAKES = ("acquire", "__aenter__")
GIVES = ("release", "__aexit__")
#: The sentences for a permit that is lost, and for one that no task is woken for.
IS_LOST = "a permit was lost: a task waits"
IS_FREE = "a task waits, though it is free"


def locks(trace: Trace, lock: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of a lock, a semaphore, or the lock of a condition, with a sentence."""
    counts = trace.things[lock].endswith("Semaphore")
    permits = trace.number(lock, 1) if counts else 1
    given = {name for each in trace.calls for name in trace.things if f"({name})" in str(each)}
    if permits is None or permits < 0 or lock in given or trace.program.get("callbacks"):
        return
    free = permits
    woken = {call.ended for call in trace.of(lock, "wait", "wait_for")}
    for place, change in sorted(changes(trace, lock)):
        free += change
        if free < 0 and place in woken:
            yield "COND-4", "a wait ended while another task held the lock"
        elif free < 0:
            yield "LOCK-6" if counts else "LOCK-7", "more tasks hold it than there are permits"
        if free < 0:
            break
    waits = [call for call in trace.of(lock, *TAKES) if call.ended is None]
    if waits and free > 0:
        lost = (trace.cancels or counts) and trace.looks(lock).get("locked") == "True"
        rule = "LOCK-8" if not lost else "LOCK-6" if counts else "LOCK-16"
        new = counts and not trace.cancels and not any(changes(trace, lock))
        yield ("LOCK-12", "a new semaphore has no permit") if new else (rule, IS_LOST if lost else IS_FREE)
    calls = trace.of(lock, *TAKES)
    if pair := overtaken(calls):
        late = "newcomer" if pair[1].at_once else "task that waited"
        yield "SEM-2" if counts else "LOCK-10", f"a {late} was served before one that had waited longer"


def conditions(trace: Trace, condition: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of a condition, with a sentence."""
    yield from locks(trace, condition)
    notifies = trace.of(condition, "notify", "notify_all")
    waits = trace.of(condition, "wait")
    first = min((call.begun for call in notifies), default=0)
    early = [call for call in waits if call.begun < first and (call.ended is None or call.ended > first)]
    free = trace.looks(condition).get("locked") == "False"
    waiting = sum(call.ended is None for call in early)
    if free and waiting and any(call.method == "notify_all" and call.returned for call in notifies):
        yield "COND-8", f"{waiting} of {len(early)} tasks wait, though all were notified"
    elif free and waiting and not trace.cancels and waiting > len(early) - sum(map(trace.wakes, notifies)):
        yield "COND-9", f"{waiting} of {len(early)} tasks wait, though more were notified"
    told = sum(call.returned and trace.wakes(call) > 0 for call in notifies)
    lost = sum(call.returned for call in waits) < told and not trace.of(condition, "wait_for")
    if free and waiting and trace.cancels and lost:
        yield "COND-6", "a task waits, though a notification was lost with a cancelled one"


def changes(trace: Trace, lock: str) -> Iterator[tuple[int, int]]:
    """Yield each place where a permit is taken, -1, or given back, 1."""
    for call in trace.of(lock):
        if call.method in TAKES and call.returned:
            yield call.ended or 0, -1
        elif call.method in GIVES and call.ended is not None and gives(call):
            yield call.ended, 1
        elif call.method in ("wait", "wait_for") and "RuntimeError" not in call.outcome:
            yield call.begun, 1
            if call.ended is not None:
                yield call.ended, -1


def gives(call: Call) -> bool:
    """Whether a permit is given back: the error of a block is not of its end."""
    return call.method == "__aexit__" or call.returned
