"""`loopspec conform SUBJECT`: whether a namespace with asyncio's names keeps the rules.

Theory of operation.  The report goes to standard output.  Exit status: 0 if all rules hold, or are known bugs of this
very version of asyncio; 1 if a rule is broken; 2 if the subject cannot be loaded, or a rule is unknown.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from impl.options import Number, Parser, UsageError

from .kit import run
from .sources import RUNS
from .subject import SubjectError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with those arguments (None: those of the process); returns the exit status."""
    parser = Parser(
        "loopspec conform",
        "Whether a namespace with asyncio's names keeps the rules of asyncio's coordination.",
    )
    parser.add_argument(
        "subject",
        nargs="?",
        help="an importable module, a .py file, or FILE.py:CLASS; what it lacks is asyncio's",
    )
    parser.add_argument(
        "--only", nargs="+", action="extend", default=[], metavar="RULE", help="these rules only"
    )
    parser.add_argument(
        "--documented-only", action="store_true", help="leave out rules that are only settled"
    )
    parser.add_argument(
        "--runs",
        type=Number(0, 10**6),
        default=RUNS,
        metavar="N",
        help="so many random programs (default: %(default)s)",
    )
    try:
        asked = parser.parse_args(argv)
        if asked.subject is None:  # said here, so that an option that is none is named first
            raise UsageError("name a subject: a module, a .py file, or FILE.py:CLASS")
        report = run(asked.subject, asked.only, asked.documented_only, asked.runs)
    except SystemExit as leave:  # -h
        return int(leave.code or 0)
    except (UsageError, SubjectError) as error:
        print(f"loopspec conform: {error}", file=sys.stderr)
        return 2
    print(report.text())
    return report.status
