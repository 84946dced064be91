"""`python -m model_tests.libraries.suites [NAME...]`: explore the tests of libraries, and write the page."""

import argparse
import sys
from collections.abc import Sequence

from ...dev.distributions import Unfetched
from ...dev.pythons import pythons
from ..loops.environment import Unusable
from .page import read, row, write
from .run import explored
from .table import SUITES

PYTHON = "3.13"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the row of each library; 1 if one could not be run, 2 if there is none of a name."""
    names = [suite.name for suite in SUITES]
    parser = argparse.ArgumentParser(prog="python -m model_tests.libraries.suites", allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--runs", type=int, default=40, metavar="N", help="schedules of each test (%(default)s)")
    given = parser.parse_args(argv)
    if unknown := [name for name in given.names if name not in names]:
        print(f"suites: there is no {unknown[0]}; the libraries are: {', '.join(names)}", file=sys.stderr)
        return 2
    python = pythons([PYTHON])
    if not python:
        print(f"suites: there is no Python {PYTHON}", file=sys.stderr)
        return 2
    results, status = read(), 0
    for suite in SUITES:
        if given.names and suite.name not in given.names:
            continue
        try:
            result = results[suite.name] = explored(suite, python[0], given.runs)
        except (Unusable, Unfetched) as error:
            status = 1
            print(f"suites: {suite.name}: {error}", file=sys.stderr)
        else:
            print(row(result), flush=True)
            write(results)
    return status


if __name__ == "__main__":
    sys.exit(main())
