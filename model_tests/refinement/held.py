"""Held: how many runs of which runtimes a test of `make check` holds to a specification.

A module of tests that has such runs lists them as HELD, made of the very numbers that its tests use.
"""

from __future__ import annotations

from typing import NamedTuple


class Held(NamedTuple):
    """Runs that are held to a specification, `of`: a monitor allows each of their answers, or the test fails.

    Each of the `runtimes` has so many: `examples` that Hypothesis draws for a machine, `traces` that are recorded along
    schedules.
    """

    of: str
    runtimes: tuple[str, ...]
    examples: int = 0
    traces: int = 0
