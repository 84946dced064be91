"""Whether the report of a failure names the cause: a variable or primitive with the two lines, or a timeout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from impl.explore.report.data import Report
from impl.explore.report.text import sentence, text_of

from .corpus import Fact

#: From the best: a sentence names it; the table shows both lines with the variable, and no run passes to compare with;
#: not named.
Named = Literal["sentence", "table", "no"]
RANK: Final[Sequence[Named]] = ("no", "table", "sentence")
#: The word for the line that raises.
ERROR: Final = "error"


def named(report: Report, facts: Sequence[Fact]) -> Named:
    """The best way in which one of the facts is named."""
    return max((_named(report, fact) for fact in facts), key=RANK.index, default="no")


def _named(report: Report, fact: Fact) -> Named:
    shown, own = text_of(report), tuple(("", line) for line in fact.lines)
    if fact.thing == ERROR:
        raised = [frame for error in (report, report.earlier) if error for frame in error.frames]
        return "sentence" if any(frame.line in fact.lines for frame in raised) else "no"
    if len(fact.lines) == 1:
        said = re.compile(rf"\b{fact.thing}\b.*\bline {fact.lines[0]}\b")
        return "sentence" if said.search(shown) else "no"
    for pair in report.turned or ():
        sides = tuple((side.file, side.line) for side in (pair.first, pair.second))
        if _is(fact.thing, pair.thing) and sides == own and sentence(pair) in shown:
            return "sentence"
    return "table" if not report.turned and _in_rows(report, fact.thing, own) else "no"


def _in_rows(report: Report, thing: str, places: Sequence[tuple[str, int]]) -> bool:
    """Whether rows of two tasks touch the thing, at these places."""
    touched = [
        {row.task for row in report.rows for each in row.touches if each.place == place and _is(thing, each.thing)}
        for place in places
    ]
    return all(touched) and len(set().union(*touched)) > 1


def _is(name: str, label: str) -> bool:
    """Whether a label, such as `shop.left[0]`, has the name."""
    return name in re.findall(r"\w+", label)
