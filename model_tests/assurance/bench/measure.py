"""Interleaved rounds, and the table: every peer runs once per round, in turn; results are medians within the rounds.

A ratio is computed within one round, under equal conditions of the machine, and never between rounds.  The order of
the peers rotates by one each round, so none always follows the same one.  Before the first round each peer runs once,
small and unmeasured, to warm up imports and caches.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from .facade import Peer
from .peers import NAMES
from .rows import Row


class Miscounted(Exception):
    """A peer did more or fewer operations than requested, which invalidates its figure."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Cost relative to the base: the median of the rounds, the minimum and the maximum."""

    median: float
    least: float
    greatest: float


@dataclass(frozen=True, slots=True)
class Measured:
    """A row as measured: the cost of one unit on the base (seconds, or bytes; None: the base is not installed), and
    the ratios.
    """

    row: Row
    base: float | None
    ratios: dict[str, Ratio]


def counted(row: Row, peer: Peer, size: int) -> float:
    """Return one sample's cost.

    Raises:
        Miscounted: its number of operations is not the row's.
    """
    cost, operations = row.sample(peer, size)
    if operations != row.operations(size):
        raise Miscounted(f"{row.name} on {peer.name}: {operations} operations, not {row.operations(size)}")
    return cost


def measure(row: Row, peers: list[Peer], rounds: int, *, quick: bool) -> Measured:
    """Measure a row on those of the peers that can do it.

    Raises:
        Miscounted: see `counted`.
    """
    able = [peer for peer in peers if peer.name not in row.without]
    size = row.quick if quick else row.size
    if row.bytes:
        rounds = 1  # the count repeats exactly
    else:
        for peer in able:
            counted(row, peer, row.quick)
    costs: dict[str, list[float]] = {peer.name: [] for peer in able}
    for number in range(rounds):
        shift = number % len(able)
        for peer in able[shift:] + able[:shift]:
            costs[peer.name].append(counted(row, peer, size))
    base = costs.get(row.base)
    if base is None:
        return Measured(row, None, {})
    ratios = {}
    for name, of in costs.items():
        each = [own / other for own, other in zip(of, base, strict=True)]
        ratios[name] = Ratio(median(each), min(each), max(each))
    return Measured(row, median(base) / row.units(size), ratios)


# --- the table: two lines per row, printed as soon as it is measured, and its goals --------------------------

# The first line has the medians, the second the minimum and the maximum ratio of the rounds, which show how reliable
# the median is.  Only the median is judged.  A goal bounds the ratio of `impl`, which runs with contexts as asyncio
# does, or of the peer that the row names: `met` and `missed` refer to it.  `met without contexts` means that only the
# loop option `contexts=False` reaches the goal.


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
    first = _joined(f"{row.name} ({_base(measured)})", medians, goals(measured))
    return f"{first}\n{_joined(f'  {row.what}', spreads)}"


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
