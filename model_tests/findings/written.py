"""Find one bug again, and write down the finding: the report of the search, and the row of the table."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Final

from ..dev.pythons import ROOT
from ..dev.rows import Rows, row
from .catalogue import FINDINGS
from .confirmed import confirmed
from .finding import FOLDER, Finding
from .found import Again, again, by_reading, command, lacking, mistaken

_HEAD: Final = """# Findings

Written by `make findings`.  Each is a bug, or a limit, of a released library, found without a hint by a harness of the
hunt, by the conformance kit, or by random programs; a few were seen by reading the code for a harness, or in use, and
no search draws them.  *Confirmed*: on the stock asyncio of these Pythons a
plain script shows the bug, and its control does not, twice.  Each folder has the report of the search in its simplest
form, the plain script, and a text that could be sent to the authors.  Of a library with several findings, one plain
script, in a folder of the library's name, has a case for each.

| finding | library | bug | rule | found after | choices | confirmed | known |
|---|---|---|---|---|---|---|---|
"""
TABLE: Final = Rows(FOLDER / "FINDINGS.md", _HEAD)
#: The report of the search.
REPORT: Final = "found.txt"
#: The version on which reports are written: they name lines of its library, and their tokens are of its runs.
WRITTEN_ON: Final = (3, 11)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one finding, in a form that goes from process to process."""

    line: str
    ok: bool
    row: str = ""


def result(name: str) -> Result:
    """Find the bug of that name again, confirm it, and write its report."""
    finding = next(each for each in FINDINGS if each.name == name)
    if why := mistaken(finding):
        return Result(f"{name}: {why}", False)
    if why := lacking(finding):
        return Result(f"{name}: not looked for: {why}", True)
    found, shown = again(finding), confirmed(finding)
    read = found is None and by_reading(finding)
    line = f"{name}: {_told(found, read, shown)}"
    if not (found or read) or not shown or not all(shown.values()):
        return Result(line, False)
    report = FOLDER / name / REPORT
    if found and (sys.version_info[:2] == WRITTEN_ON or not report.exists()):
        report.write_text(text(finding, found), encoding="utf-8")
    return Result(line, True, _row(finding, found, shown))


def linked(name: str) -> str:
    """Return the first cell of a row."""
    return f"[{name}]({name}/REPORT.md)"


def text(finding: Finding, found: Again) -> str:
    """Return the command that finds it, and its report."""
    report = found.report()
    assert str(ROOT) not in report, f"a path of this machine is in the report of {finding.name}"
    return f"$ {command(finding)}\n{report.rstrip()}\n"


def _told(found: Again | None, read: bool, shown: dict[str, bool]) -> str:
    on = ", ".join(f"{python} {'yes' if yes else 'NO'}" for python, yes in shown.items())
    after = "by reading" if read else "NOT FOUND"
    if found:
        after = f"after {found.runs} {found.by}, {found.seconds:.1f} s, {found.choices or 'no'} choices"
    return f"{after}; on stock asyncio: {on}"


def _row(finding: Finding, found: Again | None, shown: dict[str, bool]) -> str:
    return row(
        linked(finding.name),
        f"{finding.library} {finding.versions[0]}",
        finding.bug,
        finding.rule or "-",
        "reading" if found is None else f"{found.runs} {found.by}" if found.steady else found.by,
        str((found and found.choices) or "-"),
        ", ".join(shown),
        f"{finding.known}{f'; mended in {finding.mended}' if finding.mended else ''}",
    )
