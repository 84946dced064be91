"""`pytest --explore`: whole projects, the verdicts, and the kept runs.

Each project has a planted race, which is found, or a test that cannot be explored, with the reason in the summary.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from ...assurance.projects import projects
from ...explored import item as loaded_before

pytest_plugins = "pytester"

PROJECTS: Final = projects("suite", "real_world")


def write(pytester: pytest.Pytester, name: str) -> None:
    """Write the files of a project."""
    assert loaded_before
    PROJECTS[name].write(pytester.path)


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run the tests of the project, in this process."""
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-W", "ignore", *arguments)


def rows(result: pytest.RunResult) -> dict[str, tuple[str, int]]:
    """The verdict and the number of runs of each test, in the summary's table."""
    found = re.findall(r"^test_it\.py::(\S+) {2,}(\S.*?) +([\d,]+)(?:  \S+)?$", result.stdout.str(), re.MULTILINE)
    return {test: (verdict, int(runs.replace(",", ""))) for test, verdict, runs in found}


def kept(pytester: pytest.Pytester) -> set[str]:
    """The tests of kept runs."""
    files: Iterable[Path] = (pytester.path / ".loopspec").glob("*.json")
    return {json.loads(file.read_text())["test"].partition("::")[2] for file in files}


@pytest.mark.short(
    *("src layout", "conftest", "pytest-trio", "pytest-asyncio, auto", "Hypothesis"),
    why="up to three seconds each",
)
@pytest.mark.parametrize("name", [name for name, project in PROJECTS.items() if project.ends])
def test_the_race_of_a_project_is_found_or_the_reason_is_said(pytester: pytest.Pytester, name: str, full: bool) -> None:
    """In the short form one process of xdist has all tests."""
    project = PROJECTS[name]
    write(pytester, name)
    one = ["-n", "1"] * ("-n" in project.options and not full)
    result = run(pytester, "--explore", *project.options, *one)
    result.assert_outcomes(**project.ends)
    for line in project.says:
        result.stdout.fnmatch_lines([line])


@pytest.mark.long("ten tests are searched; libraries/test_suites.py has verdicts of a suite")
def test_the_verdict_tells_fragile_assumptions_from_bugs(pytester: pytest.Pytester) -> None:
    write(pytester, "verdicts")
    result = run(pytester, "--explore", "-v")
    assert {test: verdict for test, (verdict, _) in rows(result).items()} == {
        "test_passes": "passes",
        "test_order": "order only",
        "test_late[0.003]": "timing",
        "test_late[0.4]": "timing",
        "test_timeout": "timing",
        "test_safety_net": "passes",
        "test_own_order": "fails in asyncio's own order",
        "test_requested": "requested injection",
        "test_skips_in_one_order": "order only",
        "test_marker": "passes",
    }
    result.assert_outcomes(passed=3, failed=7)
    assert rows(result)["test_passes"][1] == 200
    result.stdout.fnmatch_lines(["verdict: order only", "picture: .loopspec/test_it.py_test_order-*.html"])

    without = run(pytester, "-v", "-k", "test_marker")  # a marker is explored in any case, in its own way
    assert rows(without) == {"test_marker": ("passes", 5)}


def test_a_failing_run_is_kept_and_tried_first(pytester: pytest.Pytester) -> None:
    write(pytester, "kept")
    first = rows(run(pytester, "--explore"))
    assert {test: verdict for test, (verdict, _) in first.items()} == {"test_race": "order only", "test_late": "timing"}
    assert kept(pytester) == {"test_race", "test_late"}
    assert (pytester.path / ".loopspec" / ".gitignore").read_text().endswith("*\n")
    again = rows(run(pytester, "--explore"))
    assert again == {test: (verdict, 1) for test, (verdict, _) in first.items()}
    assert min(runs for _, runs in first.values()) > 1

    replayed = run(pytester, "--explore-replay")
    replayed.assert_outcomes(failed=2, deselected=1)
    assert rows(replayed) == again
    [replay] = re.findall(r"^replay: pytest (test_it.py::test_late .*)$", replayed.stdout.str(), re.MULTILINE)
    run(pytester, *replay.split()).assert_outcomes(failed=1)

    file = pytester.path / "test_it.py"
    file.write_text(file.read_text().replace("RIGHT = False", "RIGHT = True"))
    run(pytester, "--explore-replay", "-k", "race").assert_outcomes(passed=1, deselected=2)
    assert kept(pytester) == {"test_late"}
    run(pytester, "--explore").assert_outcomes(passed=3)
    assert kept(pytester) == set()
    none = run(pytester, "--explore-replay")
    assert none.ret == 0
    none.stdout.fnmatch_lines(["no failing run of the selected tests is kept in .loopspec"])


@pytest.mark.long("a project is run four times")
def test_a_kept_run_of_another_program_is_no_error(pytester: pytest.Pytester, full: bool) -> None:
    write(pytester, "kept")
    run(pytester, "--explore", "-k", "race").assert_outcomes(failed=1, deselected=2)
    file = pytester.path / "test_it.py"
    file.write_text(file.read_text().replace("        await asyncio.sleep(0)\n", ""))
    replayed = run(pytester, "--explore-replay")
    replayed.assert_outcomes(skipped=1, deselected=2)
    replayed.stdout.fnmatch_lines(["not explored: test_it.py::test_race: its kept run cannot be replayed, *"])
    assert rows(run(pytester, "--explore", "-k", "race"))["test_race"][0] == "order only"
    for damaged in ("[]", '{"token": "x"}', '{"token": 1}')[: None if full else 1]:
        for each in (pytester.path / ".loopspec").glob("*.json"):
            each.write_text(damaged)
        assert rows(run(pytester, "--explore", "-k", "race"))["test_race"][0] == "order only"


def test_a_test_that_cannot_be_explored_runs_as_ever_in_the_first_state(pytester: pytest.Pytester) -> None:
    write(pytester, "state")
    result = run(pytester, "--explore")
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines([
        "explored 2 tests: passes 2",
        "not explored: test_it.py::test_processes?1?: a subprocess *",
        "not explored: test_it.py::test_first: the program keeps state between runs, *",
    ])  # fmt: skip
