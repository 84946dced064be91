"""The pytest plugin: fixtures of each run, failures with the line that replays them, refusals that say what to do."""

from __future__ import annotations

import inspect
import re
import textwrap

import pytest

from ... import plugin

# Modules that a test session imports for the first time pytester removes again: let them be there before.
from ...explored import item as loaded_before
from ..process import python

pytest_plugins = "pytester"

HEAD = """
import asyncio
import anyio, pytest, pytest_asyncio

seen = []
"""
#: Fixtures of every kind, each noted when it is set up and torn down.
FIXTURES = """
@pytest.fixture(scope="module")
def wide():
    seen.append("wide")

@pytest.fixture
def plain(tmp_path):
    seen.append("plain")
    yield tmp_path
    seen.append("-plain")

@pytest.fixture
async def queue(plain):
    seen.append("queue")
    yield asyncio.Queue()
    await asyncio.sleep(1)
    seen.append("-queue")

@pytest_asyncio.fixture
async def filled(queue):
    await queue.put(1)
    return queue

@pytest.fixture
def dependent(filled):
    yield filled
    seen.append("-dependent")

RUN = ["plain", "queue", "-dependent", "-queue", "-plain"]
"""
RACE = """
async def race(n):
    value = 0
    async def add():
        nonlocal value
        old = value
        await asyncio.sleep(0)
        value = old + 1
    await asyncio.gather(*(add() for _ in range(n)))
    return value
"""


def run(pytester: pytest.Pytester, source: str, *arguments: str) -> pytest.RunResult:
    """Run a file of tests, in this process."""
    assert loaded_before
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makepyfile(test_it=HEAD + textwrap.dedent(source))
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-W", "default", *arguments)


def test_every_run_has_fixtures_of_its_own(pytester: pytest.Pytester) -> None:
    """Those of anyio's plugin, of pytest-asyncio and of neither; also where those plugins would run the test."""
    tests = """
@pytest.mark.explore(runs=3)
async def test_it(wide, dependent, queue, plain):
    assert dependent is queue
    assert await queue.get() == 1
    assert queue.empty()
    assert plain.exists()
    await asyncio.sleep(3600)  # virtual time

def test_seen():
    assert seen == ["wide", *RUN * 3]
    seen.clear()

@pytest.mark.explore(runs=2)
@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", [("asyncio", {"use_uvloop": False})])
async def test_anyio(dependent):
    async with anyio.create_task_group() as group:
        group.start_soon(anyio.sleep, 3600)

def test_seen_with_anyio():
    assert seen == RUN * 2
    seen.clear()

@pytest.mark.explore(runs=2)
@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["trio"])
async def test_on_trio():
    import trio
    await trio.sleep(3600)

@pytest.mark.asyncio
@pytest.mark.explore(runs=2)
async def test_asyncio(dependent):
    await asyncio.sleep(3600)

def test_seen_with_pytest_asyncio():
    assert seen == RUN * 2

@pytest.mark.explore("all", runs=20)  # 13,830 schedules, of which a few classes are run: the test's file is rewritten
async def test_independent():
    async def work():
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    await asyncio.gather(work(), work(), work())

class TestInstances:
    pytestmark = pytest.mark.explore("all")

    async def test_instance(self):
        assert not hasattr(self, "made")
        self.made = True
        await asyncio.gather(*(asyncio.sleep(0) for _ in range(2)))

    def test_a_plain_function_is_left_alone(self):
        pass

@pytest.mark.explore(runs=9)
async def test_skip(queue):
    pytest.skip("not here")

@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_without_the_marker(plain):
    assert type(asyncio.get_running_loop()).__name__ != "SimEventLoop"
"""
    result = run(pytester, FIXTURES + tests)
    result.assert_outcomes(passed=11, skipped=1)


def test_a_failure_shows_its_run_and_the_line_that_replays_it(pytester: pytest.Pytester) -> None:
    tests = """
@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.explore(runs=30)
async def test_race(n):
    print("output of a run")
    assert await race(n) == n
"""
    result = run(pytester, RACE + tests)
    result.assert_outcomes(passed=1, failed=1)
    shown = result.stdout.str()
    assert shown.count("output of a run") == 2  # once in the source that pytest shows, once as the output
    result.stdout.fnmatch_lines(
        [">       assert await race(n) == n", "E       assert 1 == 2", "*- explore -*", "replay: pytest *"]
    )
    (replay,) = re.findall(r"replay: pytest '(test_it.py::test_race\[2\])' (--explore-replay) (\S+)", shown)
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
    tests = """
@pytest.mark.explore(runs=3)
async def test_it():
    seen.append(None)

@pytest.mark.explore("all", runs=2)
async def test_all():
    await asyncio.gather(*(asyncio.sleep(0) for _ in range(3)))

def test_seen(request):
    assert len(seen) == (request.config.getoption("--explore-runs") and 5 or 3)
"""
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
    tests = """
@pytest.mark.asyncio
@pytest.mark.parametrize("hours", [1, 2])
async def test_asyncio(hours, filled):
    await asyncio.sleep(3600 * hours)

@pytest.mark.anyio
async def test_anyio(queue):
    await anyio.sleep(3600)
    assert type(asyncio.get_running_loop()).__name__ == "SimEventLoop"
"""
    fixtures = FIXTURES.replace("pytest.fixture\nasync", "pytest_asyncio.fixture\nasync")
    run(pytester, fixtures + tests).assert_outcomes(passed=3)


def test_what_cannot_be_explored_is_refused(pytester: pytest.Pytester) -> None:
    tests = """
from hypothesis import given, strategies as st
@pytest.mark.explore(run=5)
async def test_argument(): pass
@pytest.mark.explore("every")
async def test_word(): pass
@pytest.mark.explore
def test_plain(): pass
@pytest.mark.explore
@given(st.none())
async def test_hypothesis(x): pass
@pytest.fixture(scope="module")
async def wide_async(): pass
@pytest.mark.explore
async def test_wide(wide_async): pass
@pytest.mark.explore(runs=0)
async def test_value(): pass
@pytest.fixture
def dynamic(request):
    return request.getfixturevalue("queue")
@pytest.mark.explore
async def test_dynamic(dynamic): pass
kept = []
@pytest.mark.explore
async def test_keeps_state():
    kept.append(None)
    assert len(kept) < 5
written = []
@pytest.mark.explore
async def test_keeps_silently():
    async def write():
        written.append(1)
    async def read():
        assert written
    await asyncio.gather(write(), read())
@pytest.mark.explore
async def test_deadlock(queue):
    await queue.get()
@pytest.fixture
async def broken():
    raise OSError("no server")
@pytest.mark.explore
async def test_broken(broken): pass
@pytest.fixture
async def twice():
    yield 1
    yield 2
@pytest.mark.explore
async def test_twice(twice): pass
"""
    result = run(pytester, FIXTURES + tests)
    result.assert_outcomes(errors=5, failed=7)
    result.stdout.fnmatch_lines([
        "explore: unknown argument 'run'; the arguments are runs, seed, *",
        "explore: the only argument without a name is \"all\", not 'every'",
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
import sys, pytest, model_tests.plugin
print(sorted(name for name in sys.modules if name.partition(".")[0] in ("impl", "spec", "asyncio")))
"""
    ran = python("-c", program, check=True)
    assert ran.stdout == "[]\n"


def test_what_pytest_keeps_for_a_test_is_of_one_run(pytester: pytest.Pytester) -> None:
    tests = """
    import logging, warnings
    @pytest.mark.explore(runs=5)
    async def test_it(caplog, capsys, recwarn, record_property, request):
        with caplog.at_level(logging.INFO):
            logging.getLogger("it").info("once")
            await asyncio.sleep(1)
            logging.error("twice")
        assert ["once", "twice"] == caplog.messages == [each.message for each in caplog.get_records("call")]
        assert len(caplog.records) == 2 and caplog.text.count("twice") == 1
        warnings.warn("it")
        assert len(recwarn) == 1
        print("once")
        assert capsys.readouterr().out == "once\\n"
        record_property("a", 1)
        assert request.node.user_properties == [("a", 1)]
    """
    run(pytester, tests).assert_outcomes(passed=1)


def test_an_exit_is_a_failure_and_a_value_is_shown_as_it_was(pytester: pytest.Pytester) -> None:
    source = """
import asyncio, pytest, sys
LEFT = [1]
@pytest.mark.explore
async def test_exit():
    async def note(number):
        LEFT.append(number)
        LEFT[1:] == [2] and sys.exit("2 came first")
    await asyncio.gather(note(1), note(2))
@pytest.mark.explore
async def test_value():
    LEFT[0] -= 2
    raise ValueError(LEFT)
"""
    out = run(pytester, source).stdout
    out.fnmatch_lines(["*E  *SystemExit: 2 came*", "*- explore -*", "test_exit fails: SystemExit: 2 came*"])
    out.fnmatch_lines(["replay: *::test_exit --exp*", "E  *ValueError: [[]-1*", "FAILED *ValueError: [[]-1*"])
