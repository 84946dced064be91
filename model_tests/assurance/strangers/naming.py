"""Whether the report of a failure names the cause: a variable or primitive with the two lines, or a timeout."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from impl.explore.report.data import Report
from impl.explore.report.text import sentence, text_of

from .corpus import Cause

#: From the best: a sentence names it; the table shows both lines with the variable, and no run passes to compare with;
#: not named.
Named = Literal["sentence", "table", "no"]
RANK: Final[Sequence[Named]] = ("no", "table", "sentence")
#: The word for the line that raises.
ERROR: Final = "error"


def named(report: Report, causes: Sequence[Cause]) -> Named:
    """The best way in which one of the causes is named."""
    return max((_named(report, cause) for cause in causes), key=RANK.index, default="no")


def _named(report: Report, cause: Cause) -> Named:
    shown, own = text_of(report), tuple(("", line) for line in cause.lines)
    if cause.thing == ERROR:
        raised = [frame for error in (report, report.earlier) if error for frame in error.frames]
        return "sentence" if any(frame.line in cause.lines for frame in raised) else "no"
    if len(cause.lines) == 1:
        said = re.compile(rf"\b{cause.thing}\b.*\bline {cause.lines[0]}\b")
        return "sentence" if said.search(shown) else "no"
    for pair in report.turned or ():
        sides = tuple((side.file, side.line) for side in (pair.first, pair.second))
        if _is(cause.thing, pair.thing) and sides == own and sentence(pair) in shown:
            return "sentence"
    return "table" if not report.turned and _in_rows(report, cause.thing, own) else "no"


def _in_rows(report: Report, thing: str, places: Sequence[tuple[str, int]]) -> bool:
    """Whether rows of two tasks touch the thing, or are those of it as a cancelled task, at these places."""
    touched: list[set[str]] = [set() for _ in places]
    for row in report.rows:
        at = {each.place for each in row.touches if _is(thing, each.thing)}
        if row.cancelled and _is(thing, row.task):
            at.add((row.other, row.begins))
        for tasks, place in zip(touched, places, strict=True):
            tasks |= {row.task} if place in at else set()
    return all(touched) and len(set().union(*touched)) > 1


def _is(name: str, label: str) -> bool:
    """Whether a label, such as `shop.left[0]`, has the name."""
    return name in re.findall(r"\w+", label)
