"""`python -m impl simulate ...`: the simulated crawl, from a checkout (installed: `loopspec simulate`)."""

from __future__ import annotations

import sys


def main(argv: list[str]) -> int:
    """Run the command that `argv` names; the exit status."""
    if argv[:1] != ["simulate"]:
        print("usage: python -m impl simulate [options]; simulate -h lists them", file=sys.stderr)
        return 2
    from .crawl.simulate import main as simulate

    return simulate(argv[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
