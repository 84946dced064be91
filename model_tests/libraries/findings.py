"""Find the bugs again, and write the table: python -m model_tests.libraries.findings [--show] [--jobs N] [NAME...]"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from ..dev.pythons import ROOT
from ..dev.rows import Rows, row
from .confirmation import confirmed
from .finding import FINDINGS, FOLDER, LibraryFinding, linked
from .found import Again, again, by_reading, command, lacking, mistaken
from .searches import quiet

_HEAD: Final = """# Findings

Written by `make findings`.  Each is a bug, or a limit, of a released library, found without a hint by a harness of the
hunt, by the conformance kit, or by random programs; a few were seen by reading the code for a harness, or in use, and
no search draws them.  *Confirmed*: on the stock asyncio of these Pythons a
plain script shows the bug, and its control does not, twice.  Each finding is a text that could be sent to the authors,
with that script.  `make findings ARGS="--show NAME"` prints the report of the search in its simplest form.

| finding | library | bug | rule | found after | choices | confirmed | known |
|---|---|---|---|---|---|---|---|
"""
TABLE: Final = Rows(FOLDER / "FINDINGS.md", _HEAD)


@dataclass(frozen=True, slots=True)
class FindingResult:
    """The result of one finding, in a form that goes from process to process."""

    line: str
    ok: bool
    row: str = ""
    #: The report of the search.
    report: str = ""


def result(name: str, show: bool = False) -> FindingResult:
    """Find the bug of that name again, and confirm it.

    Parameters:
        show: whether the report of the search is made, which takes a while.
    """
    finding = next(each for each in FINDINGS if each.name == name)
    if why := mistaken(finding):
        return FindingResult(f"{name}: {why}", False)
    if why := lacking(finding):
        return FindingResult(f"{name}: not looked for: {why}", True)
    found, shown = again(finding), confirmed(finding)
    read = found is None and by_reading(finding)
    line = f"{name}: {_told(found, read, shown)}"
    if not (found or read) or not shown or not all(shown.values()):
        return FindingResult(line, False)
    return FindingResult(line, True, _row(finding, found, shown), text(finding, found) if found and show else "")


def reports() -> dict[str, str]:
    """Return the report of the search for each finding that can be looked for here, by the names."""
    names = [finding.name for finding in FINDINGS if not lacking(finding)]
    with ProcessPoolExecutor(initializer=quiet, max_tasks_per_child=1) as pool:
        return {name: report for name, report in zip(names, pool.map(_report, names), strict=True) if report}


def _report(name: str) -> str:
    finding = next(each for each in FINDINGS if each.name == name)
    found = again(finding)
    return text(finding, found) if found else ""


def text(finding: LibraryFinding, found: Again) -> str:
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


def _row(finding: LibraryFinding, found: Again | None, shown: dict[str, bool]) -> str:
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


def main(argv: Sequence[str]) -> int:
    """Print the findings; exit status 1 if a bug is looked for and not found, or not confirmed."""
    parser = argparse.ArgumentParser(prog="findings")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the beginning of names; else all")
    parser.add_argument("--jobs", type=int, default=4, help="at once; plain scripts mostly wait (4)")
    parser.add_argument("--show", action="store_true", help="the report of the search, too")
    options = parser.parse_args(argv)
    names = [finding.name for finding in FINDINGS if not options.names or finding.name.startswith(tuple(options.names))]
    if not names:
        print(f"findings: none begins with {' or '.join(options.names)}", file=sys.stderr)
        return 2
    ok = True
    with ProcessPoolExecutor(options.jobs, initializer=quiet, max_tasks_per_child=1) as pool:
        for name, done in zip(names, pool.map(partial(result, show=options.show), names), strict=True):
            print(done.line, *filter(None, [done.report]), sep="\n", flush=True)
            ok = ok and done.ok
            if done.row:
                TABLE.write({linked(name): done.row})
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
