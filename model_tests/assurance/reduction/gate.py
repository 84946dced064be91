"""Compare the reduction with every schedule, program by program.

A program with more than `most` schedules is skipped, and not counted; so is one that promises to have more, by the
product of the numbers of items that could run in its first run.  For every other one the sets of outcomes must be
equal, in both directions.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from unittest.mock import patch

import impl
from impl.explore.reduction import arguments
from impl.explore.reduction.drive import DrivenRun, Main
from impl.explore.reduction.exhaust import Exhaustion, Hosts, exhaust
from impl.explore.reduction.footprint import Log
from impl.explore.reduction.host_asyncio import asyncio_hosts
from impl.explore.reduction.host_impl import impl_hosts
from impl.explore.reduction.program import execute
from impl.explore.reduction.races import Races

from .loop_calls import PROGRAMS
from .loop_programs import Runs
from .state_programs import conditional_program, state_program

Runtime = Literal["impl", "asyncio"]

#: Each runtime's names and hosts.  Any: a module.
_RUNTIMES: Final[dict[Runtime, tuple[Any, Hosts]]] = {
    "impl": (impl, impl_hosts),
    "asyncio": (asyncio, asyncio_hosts),
}

#: The published algorithm, which is not strict.
PUBLISHED = Races(strict=False)

# Seeds of programs that tell a wrong reduction from the right one.  They were found by running the wrong variants over
# some thousand programs: `python -m model_tests.assurance.reduction` with `--published` or `--bold`.

#: Conditional programs about which the published algorithm is wrong; and likewise, with more schedules.
PUBLISHED_IS_WRONG: Final = (33, 678, 990, 1042, 1710, 2581)
PUBLISHED_IS_WRONG_LARGE: Final = (1069, 1532, 1965)
#: State programs about which a rewriter is wrong that takes the unknown for independent.
BOLD_IS_WRONG: Final = (36, 61, 76, 131)


@dataclass
class GateTally:
    """The result of the gate.

    large: of the compared programs, those with more than 60 schedules.
    naive, reduced: the runs of all compared programs.
    """

    compared: int = 0
    skipped: int = 0
    large: int = 0
    naive: int = 0
    reduced: int = 0
    unknown: int = 0
    steps: int = 0
    differ: list[int | str] = field(default_factory=list)
    #: The programs that have one outcome under every schedule.
    constant: list[int | str] = field(default_factory=list)
    #: The seeds of programs that the published algorithm gets wrong; None: it was not run.
    published: list[int | str] | None = None

    def add(self, seed: int | str, every: Exhaustion, found: Exhaustion) -> None:
        """Add a program; both of its searches ended by themselves."""
        self.compared += 1
        self.large += every.runs > 60
        self.naive += every.runs
        self.reduced += found.runs
        self.unknown += found.unknown
        self.steps += found.steps
        if set(every.outcomes) != set(found.outcomes):
            self.differ.append(seed)
        if len(every.outcomes) < 2:
            self.constant.append(seed)


def _is_large(main: Main, most: int, hosts: Hosts) -> bool:
    """Whether a program promises to have more than `most` schedules: that saves making `most` runs of it."""
    product = 1
    with hosts(False, False) as make:
        driven = DrivenRun(make(), main, cancels=False)
        while product <= most and (enabled := driven.enabled()) and driven.end is None:
            product *= len(enabled)
            driven.step(enabled[0])
        driven.close()
    return product > most


def compare_loop_programs(
    seeds: Iterable[int], most: int, tally: GateTally, races: Races | None = None, runtime: Runtime = "impl"
) -> GateTally:
    """Compare programs of the vectors' language; odd seeds cancel the remaining tasks at the end of main.

    Parameters:
        seeds: of the programs.
        most: a program with more schedules is skipped.
        tally: is added to, and returned; if its `published` is not None, the published algorithm runs, too.
        races: of the reduction; None: its own.
        runtime: impl, or asyncio on the simulated loop.
    """
    names, hosts = _RUNTIMES[runtime]
    for seed in seeds:
        runs = Runs(seed, names)
        cancels = bool(seed % 2)

        def explored(
            races: Races | None, naive: bool = False, runs: Runs = runs, cancels: bool = cancels
        ) -> Exhaustion:
            return exhaust(
                runs.main, hosts, runs=most if naive else None, algorithm="naive" if naive else "source",
                rewrites=False, trusted=True, cancels=cancels, races=races, outcome=runs.outcome,
            )  # fmt: skip

        every = None if _is_large(runs.main, most, hosts) else explored(None, naive=True)
        _compare(seed, every, explored, races, tally)
    return tally


def compare_state_programs(
    seeds: Iterable[int], most: int, tally: GateTally, races: Races | None = None, runtime: Runtime = "impl"
) -> GateTally:
    """Compare programs on plain Python state, which are rewritten for the reduction only; parameters as above."""
    for seed in seeds:
        _compare_text(seed, state_program(seed, runtime), most, tally, races, runtime)
    return tally


def compare_conditional_programs(seeds: Iterable[int], most: int, tally: GateTally) -> GateTally:
    """Compare programs where the footprint of a step depends on its reads; parameters as above."""
    for seed in seeds:
        _compare_text(seed, conditional_program(seed), most, tally, None, "impl")
    return tally


def compare_loop_calls(names: Iterable[str], most: int, tally: GateTally) -> GateTally:
    """Compare programs that give asyncio values of their own, by name; parameters as above."""
    for name in names:
        _compare_text(name, PROGRAMS[name], most, tally, None, "asyncio")
    return tally


def _compare_text(
    seed: int | str, text: str, most: int, tally: GateTally, races: Races | None, runtime: Runtime
) -> None:
    """Compare a program that is rewritten for the reduction only."""
    _, hosts = _RUNTIMES[runtime]
    plain: dict[str, Any] = {"__name__": "state_program"}
    exec(compile(text, "state_program.py", "exec", dont_inherit=True), plain)
    copy = execute(text, "state_program.py", "state_program")

    def explored(races: Races | None) -> Exhaustion:
        return exhaust(copy.main, hosts, races=races)

    every = None
    if not _is_large(plain["main"], most, hosts):
        every = exhaust(plain["main"], hosts, runs=most, algorithm="naive", rewrites=False)
    _compare(seed, every, explored, races, tally)


def _compare(
    seed: int | str,
    every: Exhaustion | None,
    explored: Callable[[Races | None], Exhaustion],
    races: Races | None,
    tally: GateTally,
) -> None:
    if every is None or not every.exhausted:
        tally.skipped += 1
        return
    tally.add(seed, every, explored(races))
    if tally.published is not None and set(explored(PUBLISHED).outcomes) != set(every.outcomes):
        tally.published.append(seed)


@contextmanager
def bold() -> Iterator[None]:
    """Within the block, an unknown operation counts as independent of everything: a wrong rewriter."""
    with patch.object(Log, "not_understood", lambda self, where="": None):
        yield


@contextmanager
def trusting() -> Iterator[None]:
    """Within the block, asyncio is trusted with every value that the program gives to it: a wrong reduction."""
    with (
        patch.object(arguments, "is_inert", lambda value: True),
        patch.object(DrivenRun, "_judge", lambda *_: None),
    ):
        yield


@contextmanager
def immortal() -> Iterator[None]:
    """Within the block, which step an object dies in is taken for the same in every order: a wrong reduction."""
    with patch.object(Log, "mortal", lambda self: False), patch.object(Log, "died", lambda self: None):
        yield
