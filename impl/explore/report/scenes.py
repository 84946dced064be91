"""The report of a failure as scenes: the run that fails, and beside it the one that passes."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from typing import Final

from ...picture.scene import Row as Drawn
from ...picture.scene import Scene, State
from .data import Pair, Report, Row
from .text import sentence

#: Plain callbacks, such as that of a timeout, are in the first lane.
LOOP: Final = "loop"


def scenes_of(report: Report) -> list[Scene]:
    """Return one scene, or two if a run is known that passes; the turned pairs have the same numbers in both."""
    pairs = report.turned or []
    notes = [f"{report.program} fails: {report.error}", *([report.cycle] if report.cycle else [])]
    notes += [f"pair {number}: {sentence(pair)}" for number, pair in enumerate(pairs, 1)]
    # The lanes of both runs are in the order of the one that passes, so that they can be compared.
    names = list(
        dict.fromkeys([LOOP, *(row.task or LOOP for row in [*(report.passing or ()), *report.rows])])
    )
    found = [_scene("the run that fails", names, report.rows, pairs, [*notes, f"token: {report.token}"])]
    if report.passing is not None:
        how = "first in, first out" if report.plain_passes else "found by a seed"
        found.append(_scene("a run that passes", names, report.passing, pairs, [how]))
    return found


def _scene(
    title: str, names: Sequence[str], rows: Sequence[Row], pairs: Sequence[Pair], notes: Sequence[str]
) -> Scene:
    return Scene(title, tuple(names), tuple(_drawn(row, names, pairs) for row in rows), tuple(notes))


def _drawn(row: Row, names: Sequence[str], pairs: Sequence[Pair]) -> Drawn:
    lane = names.index(row.task or LOOP)
    states: list[tuple[int, State]] = []
    if row.task:
        states.append((lane, "done" if row.end else "waits"))
    for touch in row.touches:
        if touch.how == "cancel" and touch.thing in names:
            states.append((names.index(touch.thing), "asked"))
    line = row.stops or row.begins
    return Drawn(
        lane,
        "; ".join(_said(row)),
        tuple(states),
        star=row.overtakes > 0,
        fault=row.end if row.end.startswith("raises") else "",
        where=f"{row.file}:{line}" if row.file else "",
        source=linecache.getline(row.file, line).strip() if row.file else "",
        touches=tuple(f"{touch}{f', line {touch.line}' if touch.line else ''}" for touch in row.touches),
        pairs=tuple(number for number, pair in enumerate(pairs, 1) if _is_side(row, pair)),
    )


def _said(row: Row) -> Iterator[str]:
    """What the step does, a part each."""
    if row.task:
        yield "begins" if not row.begins else f"goes on at line {row.begins}"
    if row.cancelled:
        yield "CancelledError is thrown in"
    yield from map(str, row.touches)
    if row.late:
        yield f"its timer is {row.late} ms late"
    if row.end and not row.end.startswith("raises"):  # that is the row's fault
        yield row.end
    elif row.stops:
        yield f"waits at line {row.stops}"


def _is_side(row: Row, pair: Pair) -> bool:
    return any(
        (row.task, touch.thing, touch.how, touch.line) == (side.task, pair.thing, side.how, side.line)
        for touch in row.touches
        for side in (pair.first, pair.second)
    )
