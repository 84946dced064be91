"""The reviewed list: mutants that survive, each with the reason why that is right.

reviewed.json has them, an entry a line: the identity of the edit, `verdict` and `reason`.  The verdict is "equivalent"
if no program can see the difference, and "hole" if one could and no check looks.  An entry is stale if its place or
text no longer exists, or if it is killed now.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .edit import Edit, Key, shown

FILE: Final = Path(__file__).with_name("reviewed.json")
VERDICTS: Final = ("equivalent", "hole")


@dataclass(frozen=True, slots=True)
class Review:
    """A survivor, by the key of its edit, and the reason."""

    key: Key
    verdict: str
    reason: str

    def __str__(self) -> str:
        file, where, kind, old, new, number = self.key
        more = f" (number {number})" if number else ""
        return f"{file} {where}, {kind}: {shown(old)} -> {shown(new)}{more}"


def read(path: Path = FILE) -> dict[Key, Review]:
    """Return the reviews by the keys of their edits.

    Raises:
        ValueError: an entry is there twice, has no reason, or another verdict.
    """
    found: dict[Key, Review] = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        key = Key(*(entry[name] for name in Key._fields))
        review = Review(key, entry["verdict"], entry["reason"])
        if key in found or review.verdict not in VERDICTS or not review.reason:
            raise ValueError(f"reviewed.json: {review}: twice, without a reason, or an unknown verdict")
        found[key] = review
    return found


def missing(reviews: Mapping[Key, Review], edits: Iterable[Edit]) -> Iterator[Review]:
    """Yield the entries that have lost their place or text."""
    known = {edit.key for edit in edits}
    yield from (review for key, review in reviews.items() if key not in known)
