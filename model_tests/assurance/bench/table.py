"""The table: two lines per row, printed as soon as it is measured, and its goals.

The first line has the medians, the second the minimum and the maximum ratio of the rounds, which show how reliable the
median is.  Only the median is judged.  A goal bounds the ratio of `impl`, which runs with contexts as asyncio does, or
of the peer that the row names: `met` and `missed` refer to it.  `met without contexts` means that only the loop option
`contexts=False` reaches the goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .measure import Measured, Ratio
from .peers import NAMES

_LABEL: Final = 36
_CELL: Final = 12
_COLUMNS: Final = NAMES[1:]


def heading() -> str:
    """Return the line above the rows."""
    return _joined("workload (1.00 is ...)", _COLUMNS, "goal")


def lines(measured: Measured) -> str:
    """Return the lines of a row."""
    row, ratios = measured.row, measured.ratios
    medians = [f"{ratios[name].median:.2f}" if name in ratios else "-" for name in _COLUMNS]
    spreads = [_spread(ratios[name]) if name in ratios else "" for name in _COLUMNS]
    return "\n".join(
        [
            _joined(f"{row.name} ({_base(measured)})", medians, goals(measured)),
            _joined(f"  {row.what}", spreads),
        ]
    )


def goals(measured: Measured) -> str:
    """Return the row's goals, each with its result."""
    return ", ".join(f"{goal:.2f} {_verdict(measured, goal)}" for goal in measured.row.goals) or "none"


def _verdict(measured: Measured, goal: float) -> str:
    judged, without = measured.ratios.get(measured.row.judged), measured.ratios.get("no-context")
    if judged is None or without is None:
        return "not judged"
    if judged.median <= goal:
        return "met"
    other_form = measured.row.judged == "impl" and without.median <= goal
    return "met without contexts" if other_form else "missed"


def _base(measured: Measured) -> str:
    if measured.base is None:
        return f"{measured.row.base}, not run"
    cost = f"{measured.base:.0f} B" if measured.row.bytes else f"{measured.base * 1e6:.2f} us"
    return f"{measured.row.base} {cost}"


def _spread(ratio: Ratio) -> str:
    return "" if ratio.least == ratio.greatest else f"{ratio.least:.2f}-{ratio.greatest:.2f}"


def _joined(label: str, cells: Sequence[str], end: str = "") -> str:
    return f"{label:<{_LABEL}}{''.join(f'{cell:<{_CELL}}' for cell in cells)}{end}".rstrip()
