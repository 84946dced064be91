"""`python -m model_tests.libraries.loops [NAME...]`: hold loops to the rules, and write the page."""

import sys
from collections.abc import Sequence

from ...dev.pythons import pythons
from .environment import Unusable
from .held import held
from .page import read, row, write
from .table import LOOPS


def main(argv: Sequence[str]) -> int:
    """Print the row of each loop; 1 if the kit has no verdict on one, 2 if there is no loop of a name."""
    names = [loop.name for loop in LOOPS]
    if unknown := [name for name in argv if name not in names]:
        print(f"loops: there is no {unknown[0]}; the loops are: {'; '.join(names)}", file=sys.stderr)
        return 2
    results, there, status = read(), pythons(), 0
    for loop in LOOPS:
        if argv and loop.name not in argv:
            continue
        try:
            result = results[loop.name] = held(loop, there)
        except Unusable as error:
            status = 1
            print(f"loops: {loop.name}: {error}", file=sys.stderr)
        else:
            print(row(result).strip() if result.pythons else f"{loop.name}: {result.refused}", flush=True)
            print(*(f"    not shown: {text}" for text in result.unverified), sep="\n", end="", flush=True)
            write(results)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
