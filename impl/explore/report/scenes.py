"""The report of a failure as scenes: the run that fails, and beside it the one that passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ...picture.scene import Row as Drawn
from ...picture.scene import Scene, State
from .data import Pair, Report, StepRow, at
from .steps import INJECTED
from .text import headline, sentence, without_pairs

#: Plain callbacks, such as that of a timeout, are in the first lane.
LOOP: Final = "loop"


def scenes_of(report: Report) -> list[Scene]:
    """Return one scene, or two if a run is known that passes; the turned pairs have the same numbers in both."""
    pairs = report.turned or []
    notes = [line.strip() for line in headline(report)] + ([report.cycle] if report.cycle else [])
    notes += [f"needs: {each}" for each in report.needs]
    notes += [f"pair {number}: {sentence(pair)}" for number, pair in enumerate(pairs, 1)]
    notes += without_pairs(report)
    # The lanes of both runs are in the order of the one that passes, so that they can be compared.
    names = list(dict.fromkeys([LOOP, *(row.task or LOOP for row in [*(report.passing or ()), *report.rows])]))
    token = f"token: {report.token}"
    found = [_scene("the run that fails", names, report.rows, pairs, [*notes, token], _blocked(report))]
    if report.passing is not None:
        how = "first in, first out" if report.plain_passes else "found by a seed"
        found.append(_scene("a run that passes", names, report.passing, pairs, [how]))
    return found


def _scene(
    title: str,
    names: Sequence[str],
    rows: Sequence[StepRow],
    pairs: Sequence[Pair],
    notes: Sequence[str],
    faults: Mapping[int, str] = MappingProxyType({}),
) -> Scene:
    """`faults`: the errors in the rows of these numbers."""
    drawn = (_drawn(row, names, pairs, faults.get(n, "")) for n, row in enumerate(rows))
    return Scene(title, tuple(names), tuple(drawn), tuple(notes))


def _blocked(report: Report) -> dict[int, str]:
    """For the last row of each task of a deadlock, the object that it waits for."""
    last = {row.task: n for n, row in enumerate(report.rows)}
    found = {}
    for each in report.waiting:
        if each.task in last:
            held = f", held by {' and '.join(each.holders)}" if each.holders else ""
            found[last[each.task]] = f"waits for ever for {each.thing}{held}" if each.thing else "runs on and on"
    return found


def _drawn(row: StepRow, names: Sequence[str], pairs: Sequence[Pair], fault: str) -> Drawn:
    lane = names.index(row.task or LOOP)
    line = row.stops or row.begins
    return Drawn(
        lane,
        "; ".join(_said(row)),
        tuple(_states(row, lane, names)),
        rule=_rule(row),
        star=row.overtakes > 0,
        fault=row.end if row.end.startswith("raises") else fault,
        where=f"{row.file}:{line}" if row.file else "",
        source=row.source,
        touches=tuple(f"{touch}{f', {at(touch.line, touch.file)}' if touch.line else ''}" for touch in row.touches),
        pairs=tuple(number for number, pair in enumerate(pairs, 1) if _is_side(row, pair)),
    )


def _states(row: StepRow, lane: int, names: Sequence[str]) -> Iterator[tuple[int, State]]:
    """The states of lanes after a step: its own, those that it has woken, and those that it asks to end."""
    if row.cancelled:
        yield lane, "thrown"
    if row.task:
        yield lane, "done" if row.end else "ready" if row.task in row.wakes else "waits"
    for task in row.wakes:
        if task != row.task and task in names:
            yield names.index(task), "woken"
    for touch in row.touches:
        if touch.how == "cancel" and touch.thing in names:
            yield names.index(touch.thing), "asked"


def _rule(row: StepRow) -> str:
    """The rule of the most remarkable event of a step."""
    if row.cancelled:
        return "CANCEL-2"
    if any(touch.how == "cancel" for touch in row.touches):
        return "CANCEL-1"
    return "" if not row.task else "TASK-5" if row.end else "TASK-4" if row.task in row.wakes else "TASK-3"


def _said(row: StepRow) -> Iterator[str]:
    """The accesses of the step, a part each."""
    if row.task:
        yield "begins" if not row.begins else f"goes on at {at(row.begins, row.other)}"
    elif row.freed:
        yield row.freed
        if row.end == INJECTED:
            return
    elif not row.touches:
        yield "runs a callback"
    if row.cancelled:
        yield "CancelledError is thrown in"
    yield from map(str, row.touches)
    if row.late:
        yield f"its timer is {row.late} ms late"
    if row.end and not row.end.startswith("raises"):  # that is the row's fault
        yield row.end
    elif row.stops:
        yield f"waits at {at(row.stops, row.other)}"


def _is_side(row: StepRow, pair: Pair) -> bool:
    return any(
        (row.task, touch.thing, touch.how, *touch.place) == (side.task, pair.thing, side.how, side.file, side.line)
        for touch in row.touches
        for side in (pair.first, pair.second)
    )
