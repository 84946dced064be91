"""`loopspec conform SUBJECT`: whether a namespace with asyncio's names keeps the rules.

Theory of operation.  The report goes to standard output.  Exit status: 0 if all rules hold, or are known bugs of this
very version of asyncio; 1 if a rule is broken; 2 if the subject cannot be loaded, or a rule is unknown.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .kit import UsageError, run
from .sources import RUNS
from .subject import SubjectError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with those arguments (None: those of the process); returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="loopspec conform",
        description="Whether a namespace with asyncio's names keeps the rules of asyncio's coordination.",
        allow_abbrev=False,
    )
    parser.add_argument("subject", help="an importable module, or a .py file; what it lacks is asyncio's")
    parser.add_argument(
        "--only", nargs="+", action="extend", default=[], metavar="RULE", help="these rules only"
    )
    parser.add_argument(
        "--documented-only", action="store_true", help="leave out rules that are only settled"
    )
    parser.add_argument(
        "--runs",
        type=natural,
        default=RUNS,
        metavar="N",
        help="so many random programs (default: %(default)s)",
    )
    try:
        asked = parser.parse_args(argv)
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 2
    try:
        report = run(asked.subject, asked.only, asked.documented_only, asked.runs)
    except (SubjectError, UsageError) as error:
        print(f"loopspec conform: {error}", file=sys.stderr)
        return 2
    print(report.text())
    return report.status


def natural(text: str) -> int:
    """A number from 0."""
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number
