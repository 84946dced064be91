"""Hunt, and write the table: python -m model_tests.hunt [NAME...] [--runs N] [--show] [--jobs N]

NAME is a part of a harness's name, which begins with that of the library; without one all are hunted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from .harness import modules
from .quiet import quiet
from .result import result
from .table import TABLE


def main(argv: Sequence[str]) -> int:
    """Print the result of each harness; exit status 1 if an outcome has no explanation."""
    parser = argparse.ArgumentParser(prog="hunt")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--runs", type=int, help="the runs of each harness, instead of its whole budget")
    parser.add_argument(
        "--show", action="store_true", help="the report of the first outcome without explanation"
    )
    parser.add_argument("--jobs", type=int, default=2, help="harnesses at once (2)")
    options = parser.parse_args(argv)
    chosen = [
        module
        for module in modules()
        if not options.names or any(module.rpartition(".")[2].startswith(name) for name in options.names)
    ]
    if not chosen:
        print(f"hunt: no harness begins with {' or '.join(options.names)}", file=sys.stderr)
        return 2
    unexplained = 0
    with ProcessPoolExecutor(options.jobs, initializer=quiet, max_tasks_per_child=1) as pool:
        for done in pool.map(result, chosen, [options.runs] * len(chosen), [options.show] * len(chosen)):
            print(*done.lines, sep="\n", flush=True)
            unexplained += done.unexplained
            if done.row and options.runs is None:
                TABLE.write({done.module.rpartition(".")[2]: done.row})
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
