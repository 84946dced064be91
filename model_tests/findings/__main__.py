"""Find the bugs again, and write their reports and the table: python -m model_tests.findings [--jobs N] [NAME...]"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from ..hunt.quiet import quiet
from .catalogue import FINDINGS
from .written import TABLE, linked, result


def main(argv: Sequence[str]) -> int:
    """Print the findings; exit status 1 if a bug is looked for and not found, or not confirmed."""
    parser = argparse.ArgumentParser(prog="findings")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the beginning of names; else all")
    parser.add_argument("--jobs", type=int, default=4, help="at once; plain scripts mostly wait (4)")
    options = parser.parse_args(argv)
    names = [
        finding.name
        for finding in FINDINGS
        if not options.names or finding.name.startswith(tuple(options.names))
    ]
    if not names:
        print(f"findings: none begins with {' or '.join(options.names)}", file=sys.stderr)
        return 2
    ok = True
    with ProcessPoolExecutor(options.jobs, initializer=quiet, max_tasks_per_child=1) as pool:
        for name, done in zip(names, pool.map(result, names), strict=True):
            print(done.line, flush=True)
            ok = ok and done.ok
            if done.row:
                TABLE.write({linked(name): done.row})
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
