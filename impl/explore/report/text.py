"""The report of a failure as text: at most 25 lines, and the output of its run.

the error, and the program's lines in its traceback; of a deadlock, the cycle and the reason of each wait
a table with one column a task: the lines that it ran, and its reads and writes
the orders that differ from the run that passes
the token, and a line for the shell that repeats the run
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from .data import Frame, Pair, PairSide, Report, StepRow, Waiting, at
from .reversals import CANCEL, GOES_ON
from .steps import INJECTED, WAITS, Touch

_LINES_MAX: Final = 24  # and one for the verdict
_WIDTH_MAX: Final = 118
_FRAMES_MAX: Final = 2
_WAITING_MAX: Final = 4
_PAIRS_MAX: Final = 4
_NEEDS_MAX: Final = 4
#: A change of the colours of a terminal.
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
#: The least width of a column; a row may run on into the next ones, because it has one cell.
_COLUMN_MIN: Final = 12

#: The words of a sentence for an access, by the name of its method.
_VERBS: Final = {
    "reads": "reads it",
    "writes": "writes it",
    "acquire": "acquires it",
    "release": "releases it",
    "set": "sets it",
    "clear": "clears it",
    "notify": "notifies it",
    "put": "puts into it",
    "get": "gets from it",
    "task_done": "calls task_done",
    "join": "has joined it",
    "wait": "has waited for it",
    "request": "asks it",
    CANCEL: "cancels it",
    GOES_ON: "goes on",
    WAITS: "asks for it",
}


def text_of(report: Report, replay: str = "") -> str:
    """The report as text.

    Parameters:
        replay: the line that repeats the run; "": none is known.
    """
    head = [*headline(report), *_where(report)]
    pairs = [sentence(pair) for pair in (report.turned or ())[:_PAIRS_MAX]]
    if pairs:
        run = "the passing run" if report.plain_passes else f"a passing run ({plain_fails(report)})"
        pairs = [f"order reversed compared with {run}:", *(f"  {pair}" for pair in pairs)]
    pairs += without_pairs(report)
    foot = [f"token: {report.token}", *([f"replay: {replay}"] if replay else [])]
    table = _table(report, _LINES_MAX - len(head) - len(pairs) - len(foot))
    whole = {*foot, *without_pairs(report), *report.lines}
    return "\n".join(line if line in whole else line[:_WIDTH_MAX].rstrip() for line in [*head, *table, *pairs, *foot])


def output_of(report: Report) -> list[str]:
    """The output of the failing run under a head; no line, if it has written nothing."""
    if not report.output:
        return []
    shown = len(report.output)
    last = f" (its last {shown} lines of {shown + report.output_omitted})" if report.output_omitted else ""
    return [f"the run's output{last}:", *(f"  {_COLOUR.sub('', line)[:_WIDTH_MAX]}".rstrip() for line in report.output)]


def headline(report: Report) -> Iterator[str]:
    """The errors in the order of the run."""
    earlier = report.earlier
    if earlier is not None:
        yield f"{earlier.task or 'a callback'} fails first: {earlier.error} (nothing has retrieved it)"
        for frame in earlier.frames[-1:]:
            yield from _frame(frame)
    yield f"{'then ' if earlier else ''}{report.program} fails: {report.error}"


def plain_fails(report: Report) -> str:
    """Of a failure that needs no other order; trio's own order is random."""
    own = "" if report.runtime == "trio" else "in asyncio's own order, "
    return f"it fails {own}first in, first out, as well"


def without_pairs(report: Report) -> list[str]:
    """Why a failure in the plain order has no pair to show, and why steps are missing."""
    lacks = [report.lacks] if report.lacks else []
    if report.plain_passes or report.turned or (report.passing is None and not report.tried):
        return lacks
    if report.passing is None:
        return [f"{plain_fails(report)}, and no passing run shows which order matters: {report.tried}", *lacks]
    passes = f"token of a run that passes: {report.passing_token}"
    return [
        f"{plain_fails(report)}, and a run passes, but no recorded step shows which order matters",
        passes,
        *lacks,
    ]


def _where(report: Report) -> Iterator[str]:
    """The needs, and the lines of the traceback, or of the deadlock."""
    for needed in report.needs[:_NEEDS_MAX]:
        yield f"  needs: {needed}"
    if report.cycle:
        yield f"  a cycle: {report.cycle}"
    if report.rounds:
        yield f"  runs on and on: {', '.join(report.rounds[:_WAITING_MAX])}"
    for each in report.waiting[:_WAITING_MAX]:
        yield f"  {_waits(each)}"
    if len(report.waiting) > _WAITING_MAX:
        yield f"  and {len(report.waiting) - _WAITING_MAX} more tasks"
    yield from report.lines[:_WAITING_MAX]
    if len(report.lines) > _WAITING_MAX:
        yield f"  and {len(report.lines) - _WAITING_MAX} more tasks"
    for frame in report.frames[-_FRAMES_MAX:]:
        yield from _frame(frame)


def _frame(frame: Frame) -> Iterator[str]:
    yield f'  File "{frame.file}", line {frame.line}, in {frame.function}'
    if frame.source:
        yield f"    {frame.source}"


def _waits(task: Waiting) -> str:
    method = f" ({task.method})" if task.method else ""
    at = f" at {task.file_line}" if task.file_line else ""
    text = f"{task.task} waits{at} for {task.thing}{method}" if task.thing else f"{task.task} is ready{at}"
    if not task.holders or not task.method:
        return text
    return f"{text}, {'' if task.certain else 'probably '}held by {', '.join(task.holders)}"


def sentence(pair: Pair) -> str:
    """The order of a pair in the failed run."""
    between = "before" if pair.reached else "and the run ends before"
    thing = f"{pair.thing}: " if pair.thing else ""
    return f"{thing}{_access(pair.first, pair.thing)} {between} {_access(pair.second, pair.thing)}"


def _access(access: PairSide, thing: str) -> str:
    verb = _VERBS.get(access.how, f"calls {access.how}") if thing else access.how
    place = f" ({at(access.line, access.file)})" if access.line else ""
    return f"{access.task or 'a callback'} {verb}{place}" if access.task != thing else f"it {verb}{place}"


def _table(report: Report, lines_max: int) -> list[str]:
    """One row for the steps of a task until another one does something that matters."""
    rows = list(_counted(_folded([row for row in report.rows if row.task or row.touches or row.freed])))
    if not rows:
        return []
    tasks = [task for task in report.tasks if any(row.task == task for row, _ in rows)]
    starts, at = {}, 2
    for task in tasks:
        starts[task] = at
        at += max(len(task) + 2, _COLUMN_MIN)
    head = "  "
    for task in tasks:
        head = head.ljust(starts[task]) + task
    table = [f"{'*' if row.overtakes else ' '}".ljust(starts.get(row.task, 2)) + text for row, text in rows]
    marked = any(row.overtakes for row, _ in rows)
    left = lines_max - 1 - marked
    if len(table) > left:
        skipped = len(table) - left + 1
        table = [f"  ... {skipped} rows", *table[skipped:]]
    asyncios = "" if report.runtime == "trio" else " (asyncio runs them first in, first out)"
    marks = [f"* scheduled before a task that became ready earlier{asyncios}"] if marked else []
    return [head, *table, *marks]


def _folded(rows: Sequence[StepRow]) -> Iterator[tuple[StepRow, str]]:
    """The rows with their text: steps of a task that did nothing are one row if they overtook, and else none."""
    said: set[str] = set()
    idle = 0
    for row, after in zip(rows, [*rows, None][1:], strict=True):
        text = _cell(row, said)
        if text:
            yield row, text
            idle = 0
        elif row.overtakes:
            idle += 1
        if idle and (after is None or after.task != row.task or after.touches or not after.overtakes):
            where = f" to {at(row.stops, row.other)}" if row.stops else ""
            yield row, f"{idle} step{'s' * (idle != 1)}{where}"
            idle = 0


def _counted(rows: Iterable[tuple[StepRow, str]]) -> Iterator[tuple[StepRow, str]]:
    """The rows; those that say the same one after the other, as in a livelock, are one with their number."""
    for (_, _, text), same in groupby(rows, key=lambda each: (each[0].task, each[0].overtakes, each[1])):
        row, *more = [row for row, _ in same]
        yield row, f"{text} ({len(more) + 1} times)" if more else text


def _cell(row: StepRow, said: set[str]) -> str:
    """The cell of a step: its lines, in order, each with its accesses; an error that an earlier row has is left out."""
    parts: list[str] = []
    place = None
    for touch in _distinct(row.touches):
        where = f"{at(touch.line, touch.file, '')} " if touch.line and touch.place != place else ""
        parts.append(f"{where}{touch}")
        place = touch.place
    if row.freed:
        parts.insert(0, row.freed)
    elif row.end == INJECTED:
        return ", ".join(f"{touch.thing} is cancelled (injected)" for touch in row.touches)
    if row.cancelled:
        parts.insert(0, f"{at(row.begins, row.other, '') if row.begins else ''} CancelledError".strip())
    if row.late:
        parts.append(f"sets a timer that is {row.late} ms late")
    if row.end and row.end not in ("ends", INJECTED) and row.end not in said:
        said.add(row.end)
        parts.append(row.end)
    return ", ".join(parts)


def _distinct(touches: Sequence[Touch]) -> Iterator[Touch]:
    """The touches; of a thing that a line reads and writes, the write, and of a container and its key, the key."""
    for n, touch in enumerate(touches):
        others = [other for other in touches if other.place == touch.place and other is not touch]
        covered = touch.how == "reads" and any(
            other.thing == touch.thing or other.thing.startswith((f"{touch.thing}[", f"{touch.thing}."))
            for other in others
            if other.how in ("reads", "writes")
        )
        if not covered and touch not in touches[:n]:
            yield touch
