"""`python -m model_tests.assurance.bench.explore`: schedules a second, and detangle's.

    python -m model_tests.assurance.bench.explore [--rounds N] [--quick]

impl's loop and SimEventLoop (unmodified asyncio programs) run every schedule by `explore(every=True, reduce=False)`,
detangle by its search in depth without a bound.  The rounds are interleaved: in each one every column runs every
program once.  A figure is the median of the rounds, in schedules of a CPU second; the goals are ratios to detangle's.
All columns must run the same number of schedules, or the bench fails: they walk one tree.
"""

import argparse
import gc
import platform
import sys
from collections.abc import Callable, Coroutine, Sequence
from importlib import import_module
from statistics import median
from time import process_time
from types import ModuleType
from typing import Any, Final, NamedTuple

import impl
from impl.explore import explore

from ...programs import trees
from ...programs.substitution import substituted

Program = Callable[[], Coroutine[Any, Any, object]]
#: Runs every schedule of a program; returns how many there are.
Every = Callable[[str], int]

#: The programs, and those of a quick run.
PROGRAMS: Final = ("two_by_three_gathered", "lost_update", "locked", "queue")
QUICK: Final = ("two_by_three_gathered", "locked")
#: impl must run at least so many times detangle's schedules, SimEventLoop so many times.
GOALS: Final = {"impl": 2.0, "asyncio": 1.0}
_ROUNDS: Final = 5


class RateRow(NamedTuple):
    """A program: its schedules, and the schedules of a CPU second of each column."""

    program: str
    schedules: int
    rates: dict[str, float]


class DifferentCounts(Exception):
    """Two columns have run different numbers of schedules of one program."""


def columns() -> dict[str, Every]:
    """The functions to measure, by name: detangle, if it is installed."""
    on_impl = substituted(trees, impl)
    found = {
        "impl": lambda name: _ours(getattr(on_impl, name), "impl"),
        "asyncio": lambda name: _ours(getattr(trees, name), "asyncio"),
    }
    try:
        detangle = import_module("detangle")
    except ModuleNotFoundError:
        return found
    return {**found, "detangle": lambda name: _theirs(detangle, getattr(trees, name))}


def _ours(program: Program, runtime: Any) -> int:
    found = explore(program, every=True, reduce=False, runtime=runtime, keep_going=True)
    assert found.exhausted
    return found.runs


def _theirs(detangle: ModuleType, program: Program) -> int:
    stats = detangle.explore(
        program,
        runs=10**9,
        strategy=detangle.DFS(max_delays=10**6, max_branch=10**6),
        database=False,
        shrink=False,
    )
    assert stats.exhausted
    return int(stats.runs)


def measure(programs: Sequence[str], rounds: int) -> list[RateRow]:
    """The rows of the table.

    Raises:
        Different: the columns do not run the same schedules.
    """
    every = columns()
    rates: dict[str, dict[str, list[float]]] = {name: {each: [] for each in every} for name in programs}
    counts: dict[str, dict[str, int]] = {name: {} for name in programs}
    for run in every.values():
        run(programs[0])  # imports, and the specializing interpreter
    for _ in range(rounds):
        for name in programs:
            for column, run in every.items():
                gc.collect()
                begin = process_time()
                counts[name][column] = run(name)
                rates[name][column].append(counts[name][column] / (process_time() - begin))
    for name, found in counts.items():
        if len(set(found.values())) > 1:
            raise DifferentCounts(f"{name} has different numbers of schedules: {found}")
    return [
        RateRow(name, counts[name]["impl"], {column: median(each) for column, each in rates[name].items()})
        for name in programs
    ]


def table(rows: Sequence[RateRow]) -> list[str]:
    """The rows as text, with the goals."""
    names = list(rows[0].rates)
    lines = [f"{'program':22}{'schedules':>10}" + "".join(f"{name + ' /s':>14}" for name in names)]
    for row in rows:
        rates = "".join(f"{row.rates[name]:>14,.0f}" for name in names)
        lines.append(f"{row.program:22}{row.schedules:>10,}{rates}")
    if "detangle" not in names:
        return [*lines, "not run: detangle is not installed; `make bench-explore` installs it"]
    for name, goal in GOALS.items():
        ratios = [row.rates[name] / row.rates["detangle"] for row in rows]
        met = "met" if min(ratios) >= goal else "not met"
        shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        lines.append(f"{name} to detangle: {shown}; goal {goal:.0f}: {met}")
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; return the exit status: 0, or 2 on bad usage."""
    parser = argparse.ArgumentParser(prog="python -m model_tests.assurance.bench.explore", allow_abbrev=False)
    parser.add_argument("--rounds", type=int, choices=range(1, 100), default=_ROUNDS, metavar="N")
    parser.add_argument("--quick", action="store_true", help="small programs, one round")
    options = parser.parse_args(argv)
    rounds = 1 if options.quick else options.rounds
    print(
        f"schedules of a CPU second, medians of {rounds} interleaved round{'s' * (rounds != 1)}; "
        f"{platform.python_implementation()} {platform.python_version()}"
    )
    print("\n".join(table(measure(QUICK if options.quick else PROGRAMS, rounds))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
