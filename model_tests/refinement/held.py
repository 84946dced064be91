"""Held: how many runs of which runtimes a test of `make check` holds to a specification; and those that it rejects.

A module of tests that has such runs lists them as HELD, made of the very numbers that its tests use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from spec.kit.monitor import Rejected

P = TypeVar("P")


class Held(NamedTuple):
    """Runs that are held to a specification, `of`: a monitor allows each of their answers, or the test fails.

    Each of the `runtimes` has so many: `examples` that Hypothesis draws for a machine, `traces` that are recorded along
    schedules.
    """

    of: str
    runtimes: tuple[str, ...]
    examples: int = 0
    traces: int = 0


def rejected(run: Callable[[P], object], programs: Iterable[P]) -> list[P]:
    """Return the programs that `run` rejects."""
    found = []
    for program in programs:
        try:
            run(program)
        except Rejected:
            found.append(program)
    return found
