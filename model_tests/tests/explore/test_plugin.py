"""The pytest plugin: fixtures of each run, failures with the line that replays them, refusals with their remedy."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

# Modules that a test session imports for the first time pytester removes again: let them be there before.
from ...explored import item as loaded_before
from ...explored import plugin
from ...implementations.tables import texts
from ..process import python

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
    result.assert_outcomes(errors=5, failed=7)
    result.stdout.fnmatch_lines([
        "explore: unknown argument 'run'; the arguments are runs, every, seed, *",
        "explore: give each argument its name, as in every=True, not 'every'",
        "explore: the marker is for asynchronous test functions",
        "explore: the marker is for asynchronous test functions; with Hypothesis, use *.schedules()",
        "explore: the asynchronous fixture 'wide_async' has the scope 'module', but each run has an event loop of "
        "its own: give it the scope 'function', or make it a plain function",
        "*explore: runs is 0: it must be at least 1",
        "RuntimeError: explore: the fixture 'dynamic' requests the asynchronous fixture 'queue' by "
        "request.getfixturevalue: name it as a parameter",
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
