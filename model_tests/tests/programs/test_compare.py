"""Random programs have the same output on the reference, asyncio with C and Python tasks, the bridge, and uvloop.

Every difference is explained by a name (programs/differences.py), or the test fails and prints the program,
shrunk, as a script.  That the comparison is able to fail is seen on mutants.
"""

import sys
from collections import Counter
from dataclasses import replace
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import impl

from ...conformance.attribute import FAMILIES
from ...implementations.all_mutants import BY_NAME
from ...implementations.checks import comparison
from ...implementations.detection import Found
from ...implementations.mutant import Mutant
from ...programs.differences import cancels_groups, explain, left_out
from ...programs.generate import generate, seeded
from ...programs.group_cancels import with_group_cancels
from ...programs.releases import THIS
from ...programs.runtimes import RUNTIMES, Line, Ours, Program, observe, timed
from ...programs.script import ASYNCIO, script
from ...programs.shrink import shrink
from ..fixtures import Patch
from ..implementations.caught_by import caught_by

#: Programs that are compared: without timers, on all runtimes; with timers, on those with a virtual clock.
PROGRAMS, PROGRAMS_FULL = 150, 6_000
TIMED, TIMED_FULL = 75, 3_000
#: Those that cancel groups.
GROUPS, GROUPS_FULL = 60, 3_000

#: How many programs may be left out beside those that are compared, by version: the known bugs of those versions.
LEFT_OUT_MAX = {(3, 11): 1.6, (3, 12): 0.5}
#: How many comparisons, for each program, may need a named difference; uncancel() is frequent.
EXPLAINED_MAX = {(3, 11): 0.24, (3, 12): 0.24}

ASYNCIOS = ["asyncio", "asyncio-py", "bridge"]


def differences(program: Program, ours: list[Line], runtime: str) -> list[str] | None:
    """Call `explain`; the bridge is ours and may not differ."""
    theirs = observe(program, runtime)
    if runtime == "bridge":
        return [] if ours == theirs else None
    return explain(program, ours, theirs)


def agrees(program: Program, runtime: str) -> bool:
    return differences(program, observe(program, "impl"), runtime) is not None


def report(program: Program, runtime: str) -> str:
    """Return the program, shrunk, as a script."""
    small = shrink(program, lambda candidate: not agrees(candidate, runtime))
    subject = replace(ASYNCIO, imports="import uvloop\n", loop="uvloop.new_event_loop()")
    subject = subject if runtime == "uvloop" else ASYNCIO
    return f"differs on {runtime}\n" + script(small, observe(small, "impl"), observe(small, runtime), subject)


def compare(wanted: int, timers: bool) -> Counter[str]:
    """Compare so many programs; return the count of each difference, and the number of programs left out."""
    met: Counter[str] = Counter()
    compared = seed = 0
    while compared < wanted:
        program = seeded(seed, timers=timers)
        seed += 1
        if left_out(program):
            met["left out"] += 1
            continue
        compared += 1
        ours = observe(program, "impl")
        met["lines"] += len(ours)
        for runtime in RUNTIMES:
            if runtime == "impl" or (runtime == "uvloop" and timed(program)):
                continue
            met[runtime] += 1
            met_here = differences(program, ours, runtime)
            assert met_here is not None, f"seed {seed - 1}, timers={timers}: {report(program, runtime)}"
            met.update(met_here)
            met["explained"] += bool(met_here)
    return met


@pytest.mark.parametrize("timers", [False, True])
def test_programs_see_the_same_everywhere(timers: bool, full: bool) -> None:
    wanted = (TIMED_FULL if full else TIMED) if timers else (PROGRAMS_FULL if full else PROGRAMS)
    met = compare(wanted, timers)
    assert [met[runtime] for runtime in ASYNCIOS] == [wanted] * 3
    # The programs without timers.
    assert met["uvloop"] == wanted if not timers else met["uvloop"] < wanted // 3
    # Most programs are compared, and most comparisons need no named difference.
    assert met["left out"] <= wanted * LEFT_OUT_MAX.get(sys.version_info[:2], 0)
    assert met["explained"] <= wanted * EXPLAINED_MAX.get(sys.version_info[:2], 0.08)
    assert met["lines"] > 10 * wanted


@st.composite
def programs(draw: st.DrawFn) -> Program:
    return generate(lambda n: draw(st.integers(0, n - 1)), timers=True)


@given(programs())
def test_programs_that_hypothesis_draws_see_the_same(program: Program) -> None:
    if left_out(program) is None:
        assert agrees(program, "asyncio"), report(program, "asyncio")


def cancels_some_group(seed: int) -> Program:
    """A random program, with cancels of its groups if it has some."""
    drawn = seeded(seed, timers=seed % 2 == 0)
    return with_group_cancels(drawn, impl.Choices.seeded(seed).program)


# Before 3.13 a group of the bridge, as asyncio's, does not close a coroutine that it refuses (GROUP-7).
@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
@pytest.mark.parametrize("runtime", ASYNCIOS)
def test_programs_that_cancel_groups_see_the_same(runtime: str, full: bool) -> None:
    """Those of asyncio do where TaskGroup has cancel(); the bridge does everywhere."""
    if runtime != "bridge" and THIS < (3, 15):
        pytest.skip("TaskGroup.cancel is new in 3.15")
    programs = filter(cancels_groups, map(cancels_some_group, count()))
    for program in islice(programs, GROUPS_FULL if full else GROUPS):
        assert agrees(program, runtime), report(program, runtime)


# --- the comparison is able to fail --------------------------------------------------------------------------


@caught_by("comparison", *FAMILIES)
def test_wrong_objects_are_found(mutant: Mutant, found: Found) -> None:
    assert comparison.again(mutant, found)


def test_what_fails_is_printed_small_and_as_a_script(monkeypatch: Patch) -> None:
    names = BY_NAME["QueueGetterTrustsWakeUp"].names()
    monkeypatch.setitem(RUNTIMES, "wrong", lambda: Ours(names))
    program = next(program for program in map(seeded, range(20)) if not agrees(program, "wrong"))
    title, _, text = report(program, "wrong").partition("\n")
    assert title == "differs on wrong"
    compile(text, "the script", "exec")
    _, _, told = text.partition("# expected:\n")
    assert told.count("\n# ! ") >= 2
    assert told.count("\n") < 25
