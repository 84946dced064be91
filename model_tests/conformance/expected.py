"""Write the expected lines of the kit's programs, as impl shows them: `python -m model_tests.conformance.expected`.

Run it after a change of the programs, or a change of impl that shows on purpose.  It prints the names of the programs
with new or changed lines: read these before you commit the file.  Half a minute.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Final

from .budget import LEAKS, RUNS
from .cases.alike import ALIKE, alike
from .cases.edges import edges
from .cases.leaks import leaks
from .cases.sources import Case, catalogue, enumeration, random
from .cases.stored import FILE, key, stored, text
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


def main() -> int:
    """Write the file; return the exit status."""
    # Strings only: programs collect garbage, and need not go through the objects that are kept here.
    before = stored()
    of: dict[str, str] = {}
    lines: dict[str, str] = {}
    with left_behind():
        for case in programs():
            known, now = key(case.program), json.dumps(case.reference)
            if of.setdefault(known, json.dumps(case.program)) != json.dumps(case.program):
                print(f"{case.name} has the key of another program", file=sys.stderr)
                return 1
            lines[known] = now
            if before.get(known) != now:
                print(case.name)
    FILE.write_text(text(lines), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
