"""The predicate of task groups: a block has not ended while a task of the group runs."""

from collections.abc import Iterator

from ..normal import strings
from .trace import Trace

#: Errors that leave the loop, and with it the block.
LEAVE = frozenset({"KeyboardInterrupt", "SystemExit", "GeneratorExit"})


def groups(trace: Trace, group: str) -> Iterator[tuple[str, str]]:
    """Yield the broken rule of a group, the only one of a program, with a sentence."""
    words = list(strings(trace.program))
    ends = [place for place, line in enumerate(trace.lines) if line[2] == "end with TaskGroup()"]
    if words.count("TaskGroup") != 1 or len(ends) != 1 or not LEAVE.isdisjoint(words):
        return
    for task in trace.things:
        if trace.makes(task)[:1] == [f"{group}.create_task"] and goes_on(trace, task, ends[0]):
            yield "GROUP-1", f"the block has ended, and {task} goes on"


def goes_on(trace: Trace, task: str, end: int) -> bool:
    """Whether a task does anything after a place, or waits at the end."""
    body = trace.body(task)
    later = any(line[1] == body for line in trace.lines[end:])
    return bool(body) and (later or trace.end(task) == "pending")
