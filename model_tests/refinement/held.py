"""Held: for each test of `make check` against a specification, the number of runs by runtime, and the rejected ones.

A module of tests that has such runs lists them as HELD, made of the very numbers that its tests use.  `JudgedRuns`
plays random programs on a runtime, and holds the recorded lines to the specification.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from spec.kit.monitor import Monitor, Rejected
from spec.kit.trace import Line

from .subjects import Deviation

# `Any` in this file: a namespace with asyncio's names, its loops, and models of any specification.

P = TypeVar("P")
R = TypeVar("R")


class HeldRuns(NamedTuple):
    """Runs that are held to a specification, `of`: a monitor allows each of their answers, or the test fails.

    Each of the `runtimes` has so many: `examples` that Hypothesis draws for a machine, `traces` that are recorded along
    schedules.
    """

    of: str
    runtimes: tuple[str, ...]
    examples: int = 0
    traces: int = 0


@dataclass(frozen=True)
class NamedLoops:
    """A namespace with asyncio's names, and its loops, with eager start or without."""

    name: str
    names: Any
    new_loop: Callable[[], Any]
    eager: bool = False
    deviations: frozenset[Deviation] = frozenset()


class Seen(NamedTuple):
    """A recorded line, and the fields of the state after it that were seen, by name."""

    line: Line
    fields: Mapping[str, object] = {}


class JudgedRuns(Generic[R, P]):
    """Runs of programs on runtimes, as `play` records them, each held to the specification of a monitor.

    `rest`: the condition on the last state, and its text.
    """

    def __init__(
        self,
        monitor: Monitor[Any, Any],
        play: Callable[[R, P], list[Seen]],
        rest: tuple[Callable[[Any], bool], str] | None = None,
    ) -> None:
        self.monitor, self.play, self.rest = monitor, play, rest

    def run(self, runtime: R, program: P) -> list[Seen]:
        """Play it, and return the recorded lines.  Raises Rejected for a run that the specification does not allow."""
        seen = self.play(runtime, program)
        self.monitor.restart()
        for line, fields in seen:
            self.monitor.feed(line)
            if fields:
                told = ", ".join(f"the {name} {value}" for name, value in fields.items())
                self.monitor.see(lambda s: all(getattr(s, name) == fields[name] for name in fields), told)  # noqa: B023
        if self.rest:
            self.monitor.see(*self.rest)
        return seen

    def rejects(self, runtime: R, program: P) -> bool:
        """Whether the run of the program is rejected."""
        try:
            self.run(runtime, program)
        except Rejected:
            return True
        return False
