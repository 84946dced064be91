"""Find the bugs again, and write their reports and the table: python -m model_tests.findings [NAME...]"""

from __future__ import annotations

import sys
from typing import Final

from ..dev.pythons import ROOT
from ..dev.rows import Rows, row
from .catalogue import FINDINGS, Finding
from .confirmed import FOLDER, confirmed
from .found import Again, again, command, lacking

_HEAD: Final = """# Findings

Written by `make findings`.  Each is a bug, or a limit, of a released library, found without a hint by a search with
injected cancels, by the conformance kit, or by random programs.  *Confirmed*: on the stock asyncio of these Pythons a
plain script shows the bug, and its control does not, twice.  Each folder has the program, the report of the search in
its simplest form, the plain script, and a text that could be sent to the authors.

| finding | library | bug | rule | found after | choices | confirmed | known |
|---|---|---|---|---|---|---|---|
"""
TABLE: Final = Rows(FOLDER / "FINDINGS.md", _HEAD)
#: The report of the search, beside the program.
REPORT: Final = "found.txt"


def main(names: list[str]) -> int:
    """Say what was found; exit status 1 if a bug is looked for and not found, or not confirmed."""
    status = 0
    for finding in FINDINGS:
        if names and finding.name not in names:
            continue
        if why := lacking(finding):
            print(f"{finding.name}: not looked for: {why}", flush=True)
            continue
        found, shown = again(finding), confirmed(finding)
        print(f"{finding.name}: {_told(found, shown)}", flush=True)
        if found is None or not all(shown.values()):
            status = 1
            continue
        write(finding, found)
        TABLE.write({f"[{finding.name}]({finding.name}/REPORT.md)": _row(finding, found, shown)})
    return status


def write(finding: Finding, found: Again) -> None:
    """Write the report of the search."""
    (FOLDER / finding.name / REPORT).write_text(text(finding, found), encoding="utf-8")


def text(finding: Finding, found: Again) -> str:
    """Return the command that finds it, and its report."""
    report = found.report()
    assert str(ROOT) not in report, f"a path of this machine is in the report of {finding.name}"
    return f"$ {command(finding)}\n{report.rstrip()}\n"


def _told(found: Again | None, shown: dict[str, bool]) -> str:
    on = ", ".join(f"{python} {'yes' if yes else 'NO'}" for python, yes in shown.items())
    after = "NOT FOUND"
    if found:
        after = f"after {found.runs} {found.by}, {found.seconds:.1f} s, {found.choices or 'no'} choices"
    return f"{after}; on stock asyncio: {on}"


def _row(finding: Finding, found: Again, shown: dict[str, bool]) -> str:
    return row(
        f"[{finding.name}]({finding.name}/REPORT.md)",
        f"{finding.library} {finding.versions[0]}",
        finding.bug,
        finding.rule,
        f"{found.runs} {found.by}" if found.steady else found.by,
        str(found.choices or "-"),
        ", ".join(shown),
        f"{finding.known}{f'; mended in {finding.mended}' if finding.mended else ''}",
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
