"""A sample of edits, by a seed: a longer sample begins with the shorter one, and a change elsewhere changes no draw.

Each edit has a place of its own in the order, by the hash of the seed and of its identity.  Within a file the
kinds take turns, so that none fills the sample; the first LEAST edits of every file come first, and then the files
take turns according to their lengths.
"""

import hashlib
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Final

from .edit import Edit

#: So many edits of each file are in every sample that is long enough.
LEAST: Final = 8


def order(edits: Sequence[Edit], seed: int) -> list[Edit]:
    """Return the edits in the order of a sample."""
    files: dict[str, list[Edit]] = {}
    for edit in edits:
        files.setdefault(edit.file, []).append(edit)
    placed = [
        (number >= LEAST, (number + 1) / len(of), place(seed, *edit.key), edit)
        for of in files.values()
        for number, edit in enumerate(_by_kind(of, seed))
    ]
    return [edit for *_, edit in sorted(placed, key=lambda each: each[:3])]


def place(seed: int, *key: object) -> bytes:
    """Return the place of this key in the order of a seed."""
    return hashlib.sha256(repr((seed, *key)).encode()).digest()


def _by_kind(edits: Sequence[Edit], seed: int) -> list[Edit]:
    """Return the edits of a file, the kinds in turn."""
    kinds: dict[str, list[Edit]] = {}
    for edit in sorted(edits, key=lambda each: place(seed, *each.key)):
        kinds.setdefault(edit.kind, []).append(edit)
    turns = chain.from_iterable(zip_longest(*kinds.values()))
    return [edit for edit in turns if edit is not None]
