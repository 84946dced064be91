"""Held: for each test of `make check` against a specification, the number of runs by runtime, and the rejected ones.

A module of tests that has such runs lists them as HELD, made of the very numbers that its tests use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from spec.kit.monitor import Rejected

P = TypeVar("P")


class HeldRuns(NamedTuple):
    """Runs that are held to a specification, `of`: a monitor allows each of their answers, or the test fails.

    Each of the `runtimes` has so many: `examples` that Hypothesis draws for a machine, `traces` that are recorded along
    schedules.
    """

    of: str
    runtimes: tuple[str, ...]
    examples: int = 0
    traces: int = 0


def rejects(run: Callable[[P], object], program: P) -> bool:
    """Return whether `run` rejects the program."""
    try:
        run(program)
    except Rejected:
        return True
    return False
