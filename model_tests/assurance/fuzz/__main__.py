"""Fuzz the input that a crawl reads.

    python -m model_tests.assurance.fuzz [--inputs N] [--seed S] [TARGET | TARGET:NUMBER ...]

A line for each target counts the outcomes of its inputs; exit status 1 if one failed.  TARGET:NUMBER runs one input.
"""

import argparse
import sys
from collections.abc import Sequence
from traceback import format_exception

from .fuzzer import Found, TargetTally, fuzz
from .targets import TARGETS, Target


def main(argv: Sequence[str]) -> int:
    """Run the command; return 0, or 1 if an input failed.

    Raises:
        SystemExit: bad usage (2), or help.
    """
    parser = argparse.ArgumentParser(
        prog="python -m model_tests.assurance.fuzz", description="Fuzz what a crawl reads."
    )
    parser.add_argument("--inputs", type=int, default=200_000, help="inputs of each target (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of all inputs (%(default)s)")
    parser.add_argument("target", nargs="*", help=f"{', '.join(target.name for target in TARGETS)}, or URLS:NUMBER")
    options = parser.parse_args(argv)
    failed = False
    for named in options.target or [target.name for target in TARGETS]:
        name, _, number = named.partition(":")
        target = next((target for target in TARGETS if target.name == name), None)
        if target is None or (number and not number.isdigit()):
            parser.error(f"no such target: {named}")
        if missing := target.missing():
            if options.target:
                parser.error(f"{name}: {missing}")
            print(f"{name:<10}skipped: {missing}")
            continue
        tally = fuzz(target, options.seed, range(int(number), int(number) + 1) if number else range(options.inputs))
        print(_row(target, tally), flush=True)
        if tally.found is not None:
            failed = True
            print(_failure(target, options.seed, tally.found), file=sys.stderr)
    return int(failed)


def _row(target: Target, tally: TargetTally) -> str:
    seconds, number = tally.slowest
    became = ", ".join(f"{count:,} {what}" for what, count in sorted(tally.became.items()))
    return (
        f"{target.name:<10}{tally.inputs:>9,} inputs, {'none' if tally.found is None else 'one'} failed; "
        f"slowest {seconds * 1000:.0f} ms (number {number}), memory +{tally.grown_bytes / 1e6:.0f} MB; {became}"
    )


def _failure(target: Target, seed: int, found: Found) -> str:
    return (
        "".join(format_exception(found.error))
        + f"input: {found.data!r}\n"
        + f"again: python -m model_tests.assurance.fuzz --seed {seed} {target.name}:{found.number}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
