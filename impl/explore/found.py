"""The result of an exploration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ..sim.choices import Choices
from ..sim.run import Run
from .program import Program

#: failed: a run failed.  exhausted: every schedule was run, none failed.  not exhausted: a bound ended the search.
Verdict = Literal["failed", "exhausted", "not exhausted"]


@dataclass(slots=True)
class Seen:
    """The runs with one outcome."""

    #: The number of the first of them, from 1.
    first: int
    runs: int = 0


@dataclass(frozen=True)
class Failure:
    """A run that failed."""

    #: The number of the run, from 1, and its seed (None: a search of all schedules has none).
    number: int
    seed: int | None
    outcome: str
    error: BaseException
    #: The run by itself: its token, its choices, its recipe.
    run: Run[Any]  # Any: the program's result
    program: Program = field(repr=False)

    @property
    def token(self) -> str:
        """The token that repeats the run."""
        return self.run.recorded_token()

    @property
    def plan(self) -> dict[str, list[int]]:
        """The choices of the run, by lane: all that decides it."""
        return self.run.choices.drawn()

    def again(self, plan: dict[str, list[int]] | None = None, trace: bool = True) -> Run[Any]:
        """Run the program once more, by this plan or another one, with the events of sim/trace.py."""
        choices = Choices.listed(self.plan if plan is None else plan)
        with self.program.around():
            return self.program.simulate(choices=choices, trace=trace)


@dataclass
class Found:
    """What an exploration found."""

    #: The number of runs.
    runs: int = 0
    #: The distinct outcomes, in the order of their first runs.
    outcomes: dict[str, Seen] = field(default_factory=dict)
    #: How many runs failed.
    failures: int = 0
    #: The first run that failed.
    failure: Failure | None = None
    #: Whether every schedule was run.
    exhausted: bool = False
    #: What ended the search.
    bound: str = ""
    #: Under which conditions the verdict holds.
    assumptions: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        if self.failures:
            return "failed"
        return "exhausted" if self.exhausted else "not exhausted"

    def report(self) -> str:
        """What was found, as text."""
        runs = f"{self.runs} run{'s' * (self.runs != 1)}"
        lines = []
        if self.failure is not None:
            lines += [
                f"run {self.failure.number} failed: {self.failure.outcome}",
                f"token: {self.failure.token}",
            ]
        lines.append(
            f"{self.verdict} ({runs}, {len(self.outcomes)} outcome{'s' * (len(self.outcomes) != 1)}): "
            + "; ".join([self.bound, *self.assumptions])
        )
        return "\n".join(lines)
