"""Interleaved rounds: every peer runs once per round, in turn; results are medians of the ratios within the rounds.

A ratio is computed within one round, under equal conditions of the machine, and never between rounds.  The order of
the peers rotates by one each round, so none always follows the same one.  Before the first round each peer runs once,
small and unmeasured, to warm up imports and caches.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from .facade import Peer
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
    return Measured(
        row,
        median(base) / row.units(size),
        {
            name: _ratio([own / other for own, other in zip(of, base, strict=True)])
            for name, of in costs.items()
        },
    )


def _ratio(ratios: list[float]) -> Ratio:
    return Ratio(median(ratios), min(ratios), max(ratios))
