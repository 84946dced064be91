"""Tests that are explored: the pytest plugin, and `schedules()` for Hypothesis.

The plugin gives each run its fixtures, a failure the line that replays it, and a refusal its remedy.  Of examples with
a schedule the smallest is reached, inputs and schedule together.
"""

import asyncio
import inspect
import random
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import HealthCheck, find, settings
from hypothesis import strategies as st

from impl.errors import DeadlockError

from ...explored import Schedule, plugin, schedules, strategy

# Modules that a test session imports for the first time pytester removes again: let them be there before.
from ...explored import item as loaded_before
from ...programs.tables import texts
from ..process import python
from .programs import NAMES, Main

pytest_plugins = "pytester"

#: The files of tests; FIXTURES are of every kind, each noted when it is set up and torn down.
TEXTS = texts(Path(__file__).with_name("plugin.txt"))
HEAD, FIXTURES, RACE = (TEXTS[name] for name in ("HEAD", "FIXTURES", "RACE"))


def run(pytester: pytest.Pytester, source: str, *arguments: str) -> pytest.RunResult:
    """Run a file of tests, in this process."""
    assert loaded_before
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makepyfile(test_it=HEAD + source)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-W", "default", *arguments)


def test_every_run_has_fixtures_of_its_own(pytester: pytest.Pytester) -> None:
    """Those of anyio's plugin, of pytest-asyncio and of neither; also where those plugins would run the test."""
    result = run(pytester, FIXTURES + TEXTS["fixtures of each run"])
    result.assert_outcomes(passed=11, skipped=1)


def test_a_failure_shows_its_run_and_the_line_that_replays_it(pytester: pytest.Pytester) -> None:
    result = run(pytester, RACE + TEXTS["a race with a parameter"])
    result.assert_outcomes(passed=1, failed=1)
    shown = result.stdout.str()
    assert shown.count("output of a run") == 2  # once in the source that pytest shows, once as the output
    result.stdout.fnmatch_lines(
        [">       assert await race(n) == n", "E       assert 1 == 2", "*- explore -*", "replay: pytest *"]
    )
    (replay,) = re.findall(r"replay: pytest '(test_it.py::test_race\[2\])' (--explore-token) (\S+)", shown)
    again = pytester.runpytest_inprocess("-p", "no:cacheprovider", *replay)
    again.assert_outcomes(failed=1)
    again.stdout.fnmatch_lines([
        "*output of a run",
        f"replay: pytest '{replay[0]}' {' '.join(replay[1:])}",
        "failed (1 run): one run was made, that of the token",
    ])  # fmt: skip

    for arguments, error in (
        ((replay[1], replay[2]), "*2 tests with the marker 'explore' are selected*"),
        (("-k", "nothing", replay[1], replay[2]), "*no test with the marker 'explore' is selected*"),
        (("--explore-runs", "0"), "*--explore-runs: a number of runs, at least 1, not '0'"),
    ):
        refused = pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)
        assert refused.ret == pytest.ExitCode.USAGE_ERROR
        refused.stderr.fnmatch_lines([error])
    damaged = pytester.runpytest_inprocess("-p", "no:cacheprovider", replay[0], replay[1], replay[2] + "x")
    damaged.stdout.fnmatch_lines(["Failed: explore: the token is damaged: *"])


def test_the_number_of_runs_can_be_given(pytester: pytest.Pytester) -> None:
    tests = TEXTS["numbers of runs"]
    result = run(pytester, tests)
    result.assert_outcomes(passed=3, warnings=1)
    result.stdout.fnmatch_lines(["*ExploreWarning: test_it.py::test_all: not exhausted (2 runs): *"])
    result = run(pytester, tests, "--explore-runs", "5")
    result.assert_outcomes(passed=3, warnings=1)


def test_other_tests_may_run_on_a_simulated_loop(pytester: pytest.Pytester) -> None:
    """As the plugin's documentation says: a loop factory, for pytest-asyncio and for anyio's plugin."""
    text = inspect.getdoc(plugin) or ""
    conftest = text.partition("    # conftest.py\n")[2]
    lines = [line[4:] for line in conftest.splitlines() if line[:4].isspace() or not line]
    pytester.makeconftest("\n".join(lines))
    tests = TEXTS["other tests"]
    fixtures = FIXTURES.replace("pytest.fixture\nasync", "pytest_asyncio.fixture\nasync")
    run(pytester, fixtures + tests).assert_outcomes(passed=3)


def test_what_cannot_be_explored_is_refused(pytester: pytest.Pytester) -> None:
    result = run(pytester, FIXTURES + TEXTS["refused"])
    result.assert_outcomes(errors=8, failed=5)
    result.stdout.fnmatch_lines([
        "explore: unknown argument 'run'; the arguments are runs, every, seed, *",
        "explore: give each argument its name, as in every=True, not 'every'",
        "explore: the marker is for asynchronous test functions",
        "explore: Hypothesis calls it with its examples: explore its program with *.schedules() as one of them",
        "explore: the asynchronous fixture 'wide_async' has the scope 'module', but each run has an event loop of "
        "its own: give it the scope 'function', or make it a plain function",
        "explore: runs is 0: it must be at least 1",
        "explore: runs is 'many': it must be a whole number",
        "explore: cannot be explored: request.getfixturevalue of the asynchronous fixture 'queue'*; "
        "use 'queue' as a parameter of 'dynamic'",
        "*explore: the program keeps state between runs, at module level in kept: run 5 ended with *",
        "test_keeps_silently fails: AssertionError*",
        "failed (201 runs, 2 outcomes): the seeds were 0 to 199; runs change written at module level, *",
        "*DeadlockError: *",
        "  test waits at test_it.py:* in test_deadlock for Queue.get *",
        '>       raise OSError("no server")',
        "*the asynchronous fixture twice yields more than once",
    ])  # fmt: skip


def test_the_plugin_loads_nothing_before_a_marked_test_runs() -> None:
    """The entry point of a process that runs tests without the marker."""
    program = """
import sys, pytest, model_tests.explored.plugin
print(sorted(name for name in sys.modules if name.partition(".")[0] in ("impl", "spec", "asyncio")))
"""
    ran = python("-c", program, check=True)
    assert ran.stdout == "[]\n"


def test_what_pytest_keeps_for_a_test_is_of_one_run(pytester: pytest.Pytester) -> None:
    run(pytester, TEXTS["what pytest keeps"]).assert_outcomes(passed=1)


def test_an_exit_is_a_failure_and_a_value_is_shown_as_it_was(pytester: pytest.Pytester) -> None:
    out = run(pytester, TEXTS["an exit and a value"]).stdout
    out.fnmatch_lines(["*E  *SystemExit: 2 came*", "*- explore -*", "test_exit fails: SystemExit: 2 came*"])
    out.fnmatch_lines(["replay: *::test_exit --exp*", "E  *ValueError: [[]-1*", "FAILED *ValueError: [[]-1*"])


SEEDS = 3
WANTS = st.lists(st.integers(1, 3), min_size=1, max_size=5)


def smallest(examples: st.SearchStrategy[Any], fails: Callable[..., bool], seed: int) -> Any:
    """The example that Hypothesis reports."""
    how = settings(max_examples=3000, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    return find(examples, lambda example: fails(*example), settings=how, random=random.Random(seed))


def raises(schedule: Schedule, main: Main, **options: Any) -> bool:
    """Whether the program fails under this schedule."""
    try:
        schedule.run(main, **options)
    except (AssertionError, DeadlockError):
        return True
    return False


async def shop(stock: int, wants: list[int]) -> None:
    """The program of the documentation: it checks, waits, and acts."""
    left = stock

    async def buy(amount: int) -> None:
        nonlocal left
        if left >= amount:
            await asyncio.sleep(0)
            left -= amount

    await asyncio.gather(*map(buy, wants))
    assert left >= 0


@pytest.mark.parametrize("seed", range(SEEDS))
def test_inputs_and_schedule_shrink_to_the_least_of_both(seed: int) -> None:
    stock, wants, schedule = smallest(
        st.tuples(st.integers(1, 5), WANTS, schedules()),
        lambda stock, wants, schedule: raises(schedule, lambda: shop(stock, wants)),
        seed,
    )
    assert (stock, wants, schedule) == (1, [1, 1], Schedule())
    assert repr(schedule) == "Schedule()"


async def torn(bystanders: int) -> None:
    """A reader sees a value between two writes, unless the tasks run in asyncio's own order."""
    value = 0

    async def write() -> None:
        nonlocal value
        value += 1
        await asyncio.sleep(0)
        value += 1

    async def read() -> None:
        await asyncio.sleep(0)
        assert value != 1

    await asyncio.gather(write(), read(), *(asyncio.sleep(0) for _ in range(bystanders)))


def test_a_schedule_that_must_deviate_does_so_once() -> None:
    assert not raises(Schedule(), lambda: torn(0))
    bystanders, schedule = smallest(
        st.tuples(st.integers(0, 3), schedules()),
        lambda bystanders, schedule: raises(schedule, lambda: torn(bystanders)),
        0,
    )
    assert bystanders == 0
    assert [value for value in schedule.schedule if value] == [1]


def test_the_documented_example_fails_with_that_example() -> None:
    """The docstring is run as it stands."""
    text = strategy.__doc__ or ""
    program = "\n".join(line.removeprefix("    ") for line in text.splitlines() if line.startswith("    "))
    space: dict[str, Any] = {}
    exec(program, space)
    with pytest.raises(AssertionError) as failure:
        settings(database=None, deadline=None)(space["test_shop"])()
    notes = "\n".join(failure.value.__notes__)
    for line in ("stock=1,", "wants=[1, 1],", "schedule=Schedule(),"):
        assert line in notes
        assert line.rstrip(",") in text


@pytest.mark.parametrize("runtime", ["asyncio", "impl", "trio"])
def test_every_runtime_has_other_orders(runtime: Any) -> None:
    async def main() -> str:
        order: list[str] = []

        async def note(name: str) -> None:
            order.append(name)

        if runtime == "trio":
            async with trio.open_nursery() as nursery:
                for name in "abc":
                    nursery.start_soon(note, name)
        else:
            await NAMES[runtime].gather(*map(note, "abc"))
        return "".join(order)

    seen = {Schedule(bytes(drawn)).run(main, runtime=runtime) for drawn in product(range(3), repeat=3)}
    assert seen == {"abc", "acb", "bac", "bca", "cab", "cba"}


def test_a_wide_choice_takes_more_bytes() -> None:
    drawn = Schedule(network=bytes([1, 2, 3])).choices().network
    assert [drawn(1000), drawn(256), drawn(2), drawn(1)] == [0x102, 3, 0, 0]


def test_a_lane_that_is_not_drawn_is_plain() -> None:
    found = find(schedules(["network"]), lambda each: each.network > b"", settings=settings(database=None))
    assert found == Schedule(network=b"\0")
    with pytest.raises(ValueError, match=r"no such lane: net; .* are schedule, network, faults, program"):
        schedules(["net"])
    with pytest.raises(ValueError, match="no such runtime"):
        Schedule().run(lambda: shop(1, [1]), runtime="curio")  # type: ignore[arg-type]
