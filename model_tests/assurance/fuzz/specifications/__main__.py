"""Fuzz the kit: random specifications, each with the search, the prover, and a plain enumeration.

    python -m model_tests.assurance.fuzz.specifications [--number N] [--seed S] [--planted] [NUMBER ...]

It prints each specification on which two of the three disagree, as small as it gets (put that one into `corpus.txt`),
and the counts.  `--planted`: how many specifications it takes to find each error that is planted in the kit.  Exit
status 1: a disagreement, counts that say little, or a planted error that is not found.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from .planted_errors import PLANTED, found_after
from .rounds import counted, lacks, played, small


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status.

    Raises:
        SystemExit: bad usage (2), or help.
    """
    parser = argparse.ArgumentParser("python -m model_tests.assurance.fuzz.specifications", description="Fuzz the kit.")
    parser.add_argument("--number", type=int, default=10_000, help="of specifications (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of all specifications (%(default)s)")
    parser.add_argument("--planted", action="store_true", help="look for each planted error")
    parser.add_argument("only", type=int, nargs="*", metavar="NUMBER", help="only these specifications")
    options = parser.parse_args(argv)
    if options.planted:
        return planted(options.seed)
    counts = fuzz(options.seed, options.only or range(options.number))
    print("\n".join(f"{counts[name]:>7,} {name}" for name in sorted(counts)))
    failed = [] if options.only else lacks(counts)
    print("\n".join(failed), end="\n" * bool(failed))
    return int(bool(counts["wrong"] or failed))


def fuzz(seed: int, numbers: Sequence[int]) -> Counter[str]:
    """Print the disagreements; return the counts."""
    counts: Counter[str] = Counter()
    for number, (of, found) in zip(numbers, played(seed, numbers), strict=True):
        counted(counts, of, found)
        if counts["specifications"] % 1_000 == 0:
            print(f"{counts['specifications']:>7,} compared, {counts['wrong']} wrong", flush=True)
        if found.wrong:
            less = small(of)
            print(
                f"--- {number} of seed {seed}: {'; '.join(found.wrong)}\nstate: {less.state}\n{less.text}",
                flush=True,
            )
    return counts


def planted(seed: int) -> int:
    """Print after how many specifications each planted error is found; returns the exit status."""
    numbers = {name: found_after(name, seed) for name in PLANTED}
    for name, number in numbers.items():
        print(f"{name:<60} {'NOT FOUND' if number is None else f'{number:>5,}'}")
    return int(None in numbers.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
