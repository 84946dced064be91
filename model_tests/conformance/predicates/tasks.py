"""The predicates of tasks: a request goes to the end of a chain, a task ends with its coroutine, in one context."""

from collections.abc import Iterator

from ..normal import strings
from .contexts import contexts
from .trace import SCOPES, Call, Trace


def tasks(trace: Trace, task: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of a task, with a sentence."""
    yield from contexts(trace, task)
    yield from requests(trace, task)
    body, end = trace.body(task), trace.end(task)
    if not body or not end:
        return
    stopped = [call for call in trace.of(task, "") if call.outcome.startswith("raised CancelledError")]
    where = trace.left.get(body, "")
    if where.startswith("await ") and end != "pending":
        if any(asked_itself(trace, call) for call in stopped):
            yield "CANCEL-3", f"a request ended {task}, but did not reach what its coroutine still waits for"
        yield "TASK-5", f"{task} has ended, though its coroutine still waits"
    if end.startswith(("gave", "pending")) and any(reached_both(trace, call, body) for call in stopped):
        yield "CANCEL-1", f"a request that went to {task} reached the task that awaits it, too"


def asked_itself(trace: Trace, awaiting: Call) -> bool:
    """Whether a task had requested its own cancel before it began to await."""
    return any(
        call.actor == trace.body(call.thing) == awaiting.actor and (call.ended or 0) < awaiting.begun
        for call in trace.calls
        if call.method == "cancel"
    )


def reached_both(trace: Trace, awaiting: Call, body: str) -> bool:
    """Whether every request came while a task was awaited, and before the last step of its body."""
    last = max((place for place, line in enumerate(trace.lines) if line[1] == body), default=-1)
    requests = [call.ended or 0 for call in trace.calls if call.method == "cancel"]
    words = list(strings(trace.program))
    noted = len(requests) == sum(word.endswith(".cancel") for word in words) and SCOPES.isdisjoint(words)
    return noted and all(awaiting.begun < place < last for place in requests)


def requests(trace: Trace, task: str) -> Iterator[tuple[str, str]]:
    """Yield the broken rule of the number of requests to cancel a task, with a sentence."""
    calls = trace.of(task, "cancel", "uncancel", "cancelling")
    words = list(strings(trace.program))
    if len(calls) != sum(word in (f"{task}.{call}" for call in ("cancel", "uncancel", "cancelling")) for word in words):
        return
    if trace.of(task, "") or not SCOPES.isdisjoint(words):
        return  # a task that awaits it hands its requests on
    count = 0
    last = max((place for place, line in enumerate(trace.lines) if line[1] == trace.body(task)), default=-1)
    for call in calls:
        if call.method == "cancel" and call.outcome == "False" and (call.ended or 0) < last:
            yield "CANCEL-1", f"cancel() of {task} returned False, though it is not done"
        count += (call.outcome == "True") if call.method == "cancel" else -(call.method == "uncancel")
        count = max(count, 0)
        if call.method != "cancel" and call.outcome.lstrip("-").isdecimal() and call.outcome != str(count):
            taken = any(each.method == "uncancel" for each in calls)
            rule = "CANCEL-9" if call.outcome.startswith("-") else "CANCEL-15" if taken else "CANCEL-14"
            yield rule, f"{call.method}() returned {call.outcome} of {task}, and not {count}"
            return
