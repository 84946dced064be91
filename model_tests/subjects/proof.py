"""Prove that every wrong subject is wrong: python -m model_tests.subjects.proof

One line for each subject without a witness, or whose witness does not tell it from asyncio's own; exit status 1 then.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator

from .witness import Witness, originals, seen
from .witnesses import witnesses
from .wrong import families, subjects_of


def faults() -> Iterator[str]:
    """Yield what is not proved."""
    proved = witnesses()
    known = {id(witness.subject) for witness in proved}
    for family in families():
        for name, subject in subjects_of(family):
            if id(subject) not in known:
                yield f"{family}.{name}: no witness"
    for witness in proved:
        yield from faults_of(witness)


def faults_of(witness: Witness) -> Iterator[str]:
    """Yield how a witness fails to prove its subject wrong."""
    name = f"{witness.subject.__module__.rpartition('.')[2]}.{witness.subject.__qualname__}"
    for original in originals(witness.subject):
        if (right := seen(witness.program, original)) != witness.documented:
            yield f"{name}: asyncio's {original} shows {right!r}, not {witness.documented!r}"
    if seen(witness.program, witness.subject) == witness.documented:
        yield f"{name}: shows {witness.documented!r}, like asyncio's"


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # what a wrong subject leaves behind
    found = list(faults())
    print("\n".join(found) or f"{len(witnesses())} wrong subjects, each shown by its witness")
    sys.exit(bool(found))
