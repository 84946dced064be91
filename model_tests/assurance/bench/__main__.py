"""`python -m model_tests.assurance.bench`: compare the loop's cost with its peers, in one table.

    python -m model_tests.assurance.bench [--rounds N] [--quick] [NAME...]

Prints the named rows, all if none is named.  `--quick` measures small sizes in one round: it shows that everything
runs, and its ratios mean little.
"""

import argparse
import platform
import sys
from collections.abc import Sequence
from typing import Final

from .measure import heading, lines, measure
from .peers import all_peers
from .rows import ROWS

_ROUNDS: Final = 5


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; return the exit status: 0, or 2 on bad usage."""
    options = _parser().parse_args(argv)
    peers, missing = all_peers()
    rows = [row for row in ROWS if not options.names or row.name in options.names]
    rounds = 1 if options.quick else options.rounds
    print(
        f"CPU time of one operation, or bytes, as a ratio to the base: medians of {rounds} interleaved"
        f" round{'s' if rounds > 1 else ''}; {platform.python_implementation()} {platform.python_version()}"
    )
    print("1.00 is asyncio with its C tasks, but for exchange, where it is asyncio on async-solipsism")
    print()
    print(heading())
    for row in rows:
        print(lines(measure(row, peers, rounds, quick=options.quick)), flush=True)
    for name in missing:
        print(f"not run: {name} is not installed; `make bench` installs it")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m model_tests.assurance.bench", allow_abbrev=False)
    parser.add_argument("--rounds", type=_at_least_one, default=_ROUNDS, metavar="N", help="default: %(default)s")
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: seconds, not minutes")
    names = ", ".join(row.name for row in ROWS)
    parser.add_argument("names", nargs="*", type=_row_name, metavar="NAME", help=f"of {names}")
    return parser


def _row_name(text: str) -> str:
    names = [row.name for row in ROWS]
    if text not in names:
        raise argparse.ArgumentTypeError(f"no row is named {text!r}; the rows are {', '.join(names)}")
    return text


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of at least 1")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
