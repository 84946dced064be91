"""Write the expected lines of the kit's programs, as impl shows them: `python -m model_tests.conformance.expectations`.

Run it after a change of what impl shows on purpose; it prints the names of the programs whose lines are new or
others, to be read before the file is committed.  Half a minute.  `write(again=False)` plays the new programs only.
"""

import json
import sys
from collections.abc import Iterator
from typing import Final

from .budget import LEAKS, RUNS
from .cases.alike import ALIKE, alike
from .cases.edges import edges
from .cases.expected_lines import FILE, key, stored, text
from .cases.leaks import leaks
from .cases.sources import Case, catalogue, enumeration, random
from .cases.ways import ways
from .loops.garbage import left_behind

#: How many random programs are stored.
RANDOM: Final = 2 * RUNS


def programs() -> Iterator[Case]:
    """Yield the cases with stored lines: those of a default run on a whole namespace, and more."""
    yield from enumeration()
    for case in catalogue():
        yield from ways([case])
        yield from edges([case])
    yield from alike(ALIKE)
    yield from random(RANDOM)
    yield from leaks(LEAKS, lambda program: True)


def write(*, again: bool = True) -> int:
    """Write the file, and print the programs with new lines; return the exit status.

    Parameters:
        again: play all programs; else those without stored lines, and leave the file alone if there are none.
    """
    # Strings only: programs collect garbage, and need not go through what is kept here.
    before = stored()
    of: dict[str, str] = {}
    lines: dict[str, str] = {}
    with left_behind():
        for case in programs():
            known = key(case.program)
            if of.setdefault(known, json.dumps(case.program)) != json.dumps(case.program):
                print(f"{case.name} has the key of another program", file=sys.stderr)
                return 1
            lines[known] = json.dumps(case.reference) if again or known not in before else before[known]
            if before.get(known) != lines[known]:
                print(case.name)
    if again or lines.keys() | {key(case.program) for case in catalogue()} != before.keys():
        FILE.write_text(text(lines), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(write())
