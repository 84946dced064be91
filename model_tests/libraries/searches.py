"""The searches of one harness: schedules, cancels at each suspension, timeouts, late timers, faults of the network."""

import logging
import warnings
from dataclasses import dataclass, field
from typing import Any, Final

from impl.explore import Found, explore
from impl.explore.choices.sources import SWEEP

from .harness import Harness

#: The runs of all searches of a harness, and of a slow one.
RUNS: Final = 20_000
RUNS_SLOW: Final = 2_000
#: How late a timer may be, in seconds.
LATE: Final = 0.05

#: Arguments of `explore`, which have many types.
Options = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BudgetShare:
    """A part of the budget, spent on one way of searching."""

    name: str
    share: int
    options: Options

    @property
    def expected(self) -> tuple[str, ...]:
        """How a run begins to say its outcome, if all holds; an interrupt of `main` was injected."""
        return ("returned", *("TimeoutError",) * bool(self.options.get("timeouts")))


def searches(harness: Harness) -> list[BudgetShare]:
    """Return the searches that make sense for a harness."""
    every = [BudgetShare("schedules", 2, {}), BudgetShare("late timers", 1, {"late": LATE})]
    interrupting: Options = {"timeouts": True, "cancel": harness.cancel or None}
    every.append(BudgetShare("timeouts", 2, interrupting))
    if harness.cancel:  # one and two at each suspension of the plain run, then drawn ones under drawn schedules
        every.insert(0, BudgetShare("cancels, swept", 3, {"cancel": harness.cancel, "strategy": SWEEP}))
        every.append(BudgetShare("cancels, drawn", 4, {"cancel": harness.cancel}))
    if harness.faults:
        every.append(BudgetShare("faults", 2, {"faults": harness.faults}))
        if harness.cancel:
            every.append(BudgetShare("faults and cancels", 2, {"faults": harness.faults, "cancel": harness.cancel}))
    return every


@dataclass
class Hunted:
    """The outcomes of the searches of a harness."""

    harness: Harness
    runs: int = 0
    #: The distinct outcomes, in the order of their first runs.
    outcomes: dict[str, None] = field(default_factory=dict)
    #: Those of runs that broke a claim, with the search and the seed that first showed each.
    failing: dict[str, tuple[BudgetShare, int]] = field(default_factory=dict)

    def add(self, search: BudgetShare, found: Found) -> None:
        """Add the result of a search from seed 0."""
        self.runs += found.runs
        for outcome, seen in found.outcomes.items():
            self.outcomes[outcome] = None
            if not outcome.startswith(search.expected):
                self.failing.setdefault(outcome, (search, seen.first - 1))

    def unexplained(self) -> list[str]:
        """Return the failing outcomes that are neither a finding nor allowed."""
        made = self.harness
        return [outcome for outcome in self.failing if not (made.find(outcome) or made.reason(outcome))]

    def finds(self) -> list[str]:
        """Return the findings that were found again."""
        return sorted({find for outcome in self.failing if (find := self.harness.find(outcome))})

    def reasons(self) -> list[str]:
        """Return the reasons of outcomes that do not count."""
        made = self.harness
        return sorted(
            {why for outcome in self.failing if not made.find(outcome) and (why := made.reason(outcome)) is not None}
        )


def hunt(harness: Harness, runs: int | None = None) -> Hunted:
    """Spend a budget of runs on the searches of a harness.

    Parameters:
        runs: in all; None: RUNS, or RUNS_SLOW for a slow one.

    Raises:
        KeepsState: (impl.explore) the program is no function of its choices.
    """
    hunted = Hunted(harness)
    ways = searches(harness)
    left, shares = runs or (RUNS_SLOW if harness.slow else RUNS), sum(way.share for way in ways)
    for way in ways:
        found = explored(harness, way, runs=max(1, left * way.share // shares), keep_going=True)
        hunted.add(way, found)
        left, shares = left - found.runs, shares - way.share  # the spare runs of a sweep are for the others
    return hunted


def explored(harness: Harness, search: BudgetShare, **options: Any) -> Found:  # Any: explore's
    """Run one search of a harness."""
    with warnings.catch_warnings():  # of coroutines and transports that a cancelled call leaves behind
        warnings.simplefilter("ignore")
        return explore(
            harness.main,
            network=harness.network,
            errors=harness.leaks or None,
            **{"late": 0.0, **search.options, **options},
        )


def quiet() -> None:
    """Silence a worker process: a library logs, and warns of, each of thousands of calls that a search cancels.

    That is also written at its end, when the garbage collector destroys the tasks and coroutines that are left.
    """
    logging.disable()
    warnings.simplefilter("ignore", RuntimeWarning)
