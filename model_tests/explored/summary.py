"""The table of explored tests in pytest's terminal summary: test, verdict, number of runs, token.

A row travels with the report of its test, so those of xdist's workers arrive, too.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

import pytest

from .options import MARKER, NOT_EXPLORED, PASSES, REPLAY, VERDICTS
from .selection import is_given
from .tokens import FOLDER

#: The attribute of a report that has the row.
_ATTRIBUTE: Final = "explored"
_HEAD: Final = ("test", "verdict", "runs", "token")


class TableRow(NamedTuple):
    """An explored test, or one that cannot be explored."""

    test: str
    verdict: str
    runs: int = 0
    #: Of a failing run.
    token: str = ""
    #: Why it cannot be explored.
    reason: str = ""

    def add_to(self, report: pytest.TestReport) -> None:
        """Let the report carry it."""
        vars(report)[_ATTRIBUTE] = tuple(self)


class Summary:
    """The plugin that collects the rows of a session and prints them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._rows: dict[str, TableRow] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if (row := getattr(report, _ATTRIBUTE, None)) is not None:
            self._rows[row[0]] = TableRow(*row)  # of a test that is run again, the last

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """That no token is kept is no error."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self._config.getoption(REPLAY):
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        verbose = self._config.get_verbosity() > 0
        all_shown = verbose or not {"p", "P", "A"}.isdisjoint(self._config.getoption("reportchars"))
        if not all_shown and not is_given(self._config):
            return
        lines = list(_lines(self._rows.values(), all_shown))
        if self._config.getoption(REPLAY) and not self._rows:
            lines = [f"no failing run of the selected tests is kept in {FOLDER}"]
        if lines:
            terminalreporter.section(MARKER)
        for line in lines:
            terminalreporter.write_line(line)


def _lines(rows: Collection[TableRow], all_shown: bool) -> Iterator[str]:
    """The table, without the tests that pass unless all are shown; the numbers; and why tests cannot be explored."""
    explored = sorted(row for row in rows if row.verdict != NOT_EXPLORED)
    shown = [row for row in explored if all_shown or row.verdict != PASSES]
    if shown:
        cells = [_HEAD, *((row.test, row.verdict, f"{row.runs:,}", row.token) for row in shown)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for test, verdict, runs, token in cells:
            yield f"{test:{widths[0]}}  {verdict:{widths[1]}}  {runs:>{widths[2]}}  {token}".rstrip()
    if explored:
        counted = Counter(row.verdict for row in explored)
        counts = ", ".join(f"{verdict} {counted[verdict]}" for verdict in VERDICTS if counted[verdict])
        yield f"explored {len(explored)} test{'s' * (len(explored) != 1)}: {counts}"
    for same in _by_reason(rows, all_shown):
        first, more = same[0], len(same) - 1
        names = ", ".join(row.test for row in same) if all_shown or not more else f"{first.test} and {more} more"
        yield f"{NOT_EXPLORED}: {names}: {first.reason}"


def without_place(reason: str) -> str:
    """The reason why a test cannot be explored without the line of the program."""
    return re.sub(r" \([^()]*, line \d+\)", "", reason)


def _by_reason(rows: Collection[TableRow], by_line: bool) -> Collection[list[TableRow]]:
    """The tests that cannot be explored for the same reason, and `by_line` at the same line of the program."""
    found: dict[str, list[TableRow]] = {}
    for row in rows:
        if row.verdict == NOT_EXPLORED:
            found.setdefault(row.reason if by_line else without_place(row.reason), []).append(row)
    return found.values()
