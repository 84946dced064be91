"""The tests of one library, plain and explored, in an environment of its own."""

import os
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from ...dev.distributions import fetched
from ...dev.pythons import ROOT, Interpreter
from ...explored.options import EXPLORE, NOT_EXPLORED, PASSES, RUNS
from ...explored.tokens import FOLDER as KEPT
from ..loops.environment import FOLDER, make_environment, python_in, version_in
from .record import OVERDUE, TestResult, read
from .table import ExploredSuite

#: Seconds that one test may take, plain and explored, and all sessions of a suite.
LIMITS_S: Final = (10.0, 60.0)
SUITE_S: Final = 1800.0
_PASSED: Final = "passed"


@dataclass(frozen=True)
class SuiteResult:
    """The result for a library."""

    name: str
    version: str
    python: str
    runs: int  #: schedules of each test
    tests: int  #: that pass plainly
    explored: dict[str, int]  #: the number of tests by verdict, of those that pass plainly
    seconds: int  #: of the plain session and of the explored one
    plain_seconds: int
    reasons: dict[str, int] = field(default_factory=dict)  #: why tests are not explored
    #: Those that pass plainly and not when explored: node id -> verdict and error.
    failing: dict[str, list[str]] = field(default_factory=dict)

    def stored(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


def explored(suite: ExploredSuite, python: Interpreter, runs: int) -> SuiteResult:
    """Run the tests of a library plainly, then with `--explore`.

    Parameters:
        runs: schedules of each test.

    Raises:
        Unusable: the library cannot be installed.
        Unfetched: its tests cannot be had.
    """
    path = python_in(FOLDER / f"suite-{suite.name}")
    make_environment(path, python, (suite.requires, "pytest", *suite.beside), "--prefer-binary")
    version = version_in(path, suite.name)
    folder = fetched(suite.name, version, suite.parts)
    plain, plain_s = _session(suite, path, folder, LIMITS_S[0])
    rmtree(folder / KEPT, ignore_errors=True)
    found, found_s = _session(suite, path, folder, LIMITS_S[1], EXPLORE, RUNS, str(runs))
    return result(suite.name, version, python.release, runs, plain, found, (plain_s, found_s))


def result(
    name: str,
    version: str,
    python: str,
    runs: int,
    plain: Mapping[str, TestResult],
    found: Mapping[str, TestResult],
    seconds: tuple[float, float],
) -> SuiteResult:
    """Return the result of two sessions: of the tests that pass plainly."""
    passing = [test for test, each in plain.items() if each.outcome == _PASSED]
    both = [found.get(test, TestResult(test, "missing")) for test in passing]
    verdicts = Counter(_verdict(each) for each in both if each.verdict or each.outcome != _PASSED)
    here = f"{ROOT}{os.sep}"  # a stored result does not name it
    failing = {each.test: [_verdict(each), each.error.replace(here, "")] for each in both if each.outcome != _PASSED}
    reasons = Counter(each.reason for each in both if each.reason)
    plain_s, found_s = map(round, seconds)
    return SuiteResult(
        name, version, python, runs, len(passing), dict(verdicts), found_s, plain_s, dict(reasons), failing
    )


def _verdict(each: TestResult) -> str:
    """The verdict of a test; an outcome if that does not follow from the verdict."""
    if each.outcome == _PASSED:
        return each.verdict
    return each.outcome if each.verdict in ("", PASSES, NOT_EXPLORED) else each.verdict


def _session(
    suite: ExploredSuite, path: Path, folder: Path, limit_s: float, *options: str
) -> tuple[dict[str, TestResult], float]:
    """Run the tests once, each for `limit_s` at most; return the results, and the seconds."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        file, settings = Path(name, "record"), Path(name, "pytest.ini")
        settings.write_text("\n".join(["[pytest]", *suite.settings, ""]), encoding="utf-8")
        command: list[str | Path] = [path, "-P", "-m", "pytest", "-q", "-c", settings, "--rootdir", "."]
        command += ["-p", f"{__package__}.record", "--record", file, "--record-limit", str(limit_s)]
        # In an environment that has loopspec, its plugin is there by another name.
        command += ["-p", "no:loopspec", "-p", "model_tests.explored.plugin", "-p", "no:cacheprovider"]
        command += ["--continue-on-collection-errors", *suite.options, *options]
        command += [*(("-k", suite.only) if suite.only else ()), *suite.paths]
        count = -1
        # A session that a test has ended is gone on with behind it.
        while _overdue(results := read(file)) > count and time.monotonic() - begun < SUITE_S:
            count = _overdue(results)
            _play(command, folder, SUITE_S - (time.monotonic() - begun))
        return results, time.monotonic() - begun


def _overdue(results: Mapping[str, TestResult]) -> int:
    return sum(each.outcome == OVERDUE for each in results.values())


def _play(command: Sequence[str | Path], folder: Path, limit_s: float) -> None:
    try:
        with (folder / "output.txt").open("w", encoding="utf-8") as output:
            subprocess.run(
                command,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=limit_s,
                check=False,
            )
    except subprocess.TimeoutExpired:
        pass  # the record has the tests that ended
