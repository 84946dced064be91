"""A pytest plugin that records the result of each test in a file, and ends the process if a test takes too long.

The file has a line of JSON for each test, so that it is whole whenever the process ends.  A test is recorded as overdue
before it runs, and once more after it: the last line counts.  A session that is given the file of one before goes on
behind it: tests that are in the file are not run again.
"""

import faulthandler
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import pytest

#: The outcome of a test that did not end.
OVERDUE: Final = "overdue"
#: The attribute of a report that has the row of the table of explored tests.
_EXPLORED: Final = "explored"


@dataclass
class TestResult:
    """The result of one test: its outcome as pytest has it, and the row of the table of explored tests."""

    __test__ = False  # for pytest

    test: str
    outcome: str
    error: str = ""  #: the last line of the error
    verdict: str = ""
    runs: int = 0
    token: str = ""
    reason: str = ""  #: why it is not explored


def read(file: Path) -> dict[str, TestResult]:
    """Return the recorded results, by the node ids of their tests."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {each["test"]: TestResult(**each) for each in map(json.loads, lines)}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", type=Path, required=True, help="the file of the results")
    parser.addoption("--record-limit", type=float, required=True, help="seconds that a test may take")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(config.option.record, config.option.record_limit))


class Recorder:
    """The recorder of one session."""

    def __init__(self, file: Path, limit_s: float) -> None:
        self._file, self._limit_s = file, limit_s
        self._known = read(file)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid not in self._known]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        result = self._known[item.nodeid] = TestResult(item.nodeid, OVERDUE)
        self._write(result)
        with self._file.with_suffix(".stack").open("w", encoding="utf-8") as stack:
            faulthandler.dump_traceback_later(self._limit_s, exit=True, file=stack)
            try:
                return (yield)
            finally:
                faulthandler.cancel_dump_traceback_later()
                self._write(result)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        result = self._known[report.nodeid]
        if report.failed:
            message = str(getattr(getattr(report.longrepr, "reprcrash", None), "message", report.longrepr))
            result.outcome = "error" if report.when != "call" else "failed"
            result.error = (message.strip().splitlines() or [""])[0]
        elif result.outcome == OVERDUE or report.skipped:
            result.outcome = report.outcome
        if row := getattr(report, _EXPLORED, None):
            _, result.verdict, result.runs, result.token, result.reason = row

    def _write(self, result: TestResult) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(result)) + "\n")
