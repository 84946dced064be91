"""Run the gate on a range of seeds.

    python -m model_tests.assurance.reduction {loop,state} FIRST LAST [--most N] [--published] [--bold] [--asyncio]

Exit status: 0 if no program differs, else 1.
"""

import argparse
import logging
import sys
import warnings
from contextlib import nullcontext

from .gate import GateTally, bold, compare_loop_programs, compare_state_programs


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m model_tests.assurance.reduction", description=__doc__)
    parser.add_argument("programs", choices=("loop", "state"))
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int, help="the seed after the last one")
    parser.add_argument("--most", type=int, default=500, help="skip programs with more schedules")
    parser.add_argument("--published", action="store_true", help="run the algorithm that is not strict, too")
    parser.add_argument("--bold", action="store_true", help="the unknown counts as independent: programs differ")
    parser.add_argument("--every", type=int, default=500, help="print after so many seeds")
    parser.add_argument("--asyncio", action="store_true", help="on the simulated asyncio loop")
    options = parser.parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    tally = GateTally(published=[] if options.published else None)
    compare = compare_loop_programs if options.programs == "loop" else compare_state_programs
    for first in range(options.first, options.last, options.every):
        seeds = range(first, min(first + options.every, options.last))
        with bold() if options.bold else nullcontext():
            compare(seeds, options.most, tally, runtime="asyncio" if options.asyncio else "impl")
        print(f"seeds {options.first} to {seeds[-1]}: {tally}", flush=True)
    return 1 if tally.differ else 0


if __name__ == "__main__":
    sys.exit(main())
