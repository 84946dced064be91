"""The classic races: each passes first in, first out, fails under some other schedule, and runs on three loops.

The default search finds each within 100 runs, the hardest within 1,000, from any seed on.
"""

import asyncio
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import impl
from impl.bridges.asyncio.run import simulate
from impl.explore import explore
from impl.explore.programs.program import RuntimeName
from impl.runners.simulate import simulate as simulate_impl

from ...examples import races
from ...programs.substitution import substituted
from .programs import RACES, RUNTIMES

Program = Callable[[], Coroutine[Any, Any, None]]

ON_IMPL = RACES["impl"]


def shown(error: BaseException | None) -> tuple[type[BaseException] | None, str]:
    return (None, "") if error is None else (type(error), str(error).split("\n")[0])


@pytest.mark.parametrize("program", races.RACES + races.RIGHT, ids=lambda program: program.__name__)
def test_each_passes_first_in_first_out(program: Program) -> None:
    asyncio.run(program())
    simulate(program).outcome()
    simulate_impl(getattr(ON_IMPL, program.__name__)).outcome()


def test_two_sleeps_fail_when_a_timer_is_late() -> None:
    program = ON_IMPL.two_sleeps
    assert {shown(simulate_impl(program, seed=seed, order="any").error) for seed in range(10)} == {(None, "")}
    late = {shown(simulate_impl(program, seed=seed, late_ms_max=50).error) for seed in range(10)}
    assert late == {(None, ""), shown(AssertionError("the server is not ready"))}


def test_the_docstring_names_a_seed_that_fails() -> None:
    (seed,) = map(int, re.findall(r"--order any --seed (\d+) +fails", races.__doc__ or ""))
    error = simulate(races.lost_update, seed=seed, order="any").error
    assert shown(error) == shown(AssertionError("the balance is 10"))


def test_a_module_without_asyncio_cannot_have_it_replaced(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no file that imports asyncio"):
        substituted(re, impl)


#: The sums of the numbers of runs to the first failure, over the first 5 and over 50 seeds to begin with.  They are
#: the same on both loops and on every Python; a strategy that changes changes them.
RUNS = {
    "lost_update": (43, 379),
    "two_locks": (37, 333),
    "swallowed_cancel": (47, 429),
    "dead_consumer": (12, 140),
    "item_lost": (26, 330),
    "seen_set": (18, 264),
    "two_sleeps": (34, 350),
    "three_switches": (923, 5913),
}
HARDEST = "three_switches"


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("name", RUNS)
def test_the_default_search_finds_each_race(name: str, runtime: RuntimeName, full: bool) -> None:
    program, needed = getattr(RACES[runtime], name), []
    how: Any = {"runs": 1000 if name == HARDEST else 100, "late": 0.02 if name == "two_sleeps" else 0.0}
    for number in range(50 if full else 5):
        found = explore(program, runtime=runtime, seed=1 + 1000 * number, **how)
        needed.append(found.runs if found.failure is not None else None)
    assert None not in needed, needed
    assert sum(map(int, filter(None, needed))) == RUNS[name][full], needed
