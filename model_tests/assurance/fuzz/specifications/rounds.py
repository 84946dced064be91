"""A round of the fuzz: the outcomes of many specifications, by their numbers, and how they count."""

from __future__ import annotations

import gc
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from .comparison import CommandOutcome, compared
from .generator import Generated, generated
from .shrink import shrunk

#: The least share of specifications with a property that is false and one that is proved.
LEAST_MIXED: Final = 0.3
#: The most of those inside the subset that the prover may refuse.
MOST_REFUSED: Final = 0.05


def outcome(of: Generated) -> CommandOutcome:
    with tempfile.TemporaryDirectory() as folder:
        return compared(of.module, Path(folder) / "item_.py", beyond=of.beyond)


def numbered(seed: int, number: int) -> tuple[Generated, CommandOutcome]:
    """The specification of a number, and its outcome."""
    of = generated(seed, number)
    return of, outcome(of)


def played(seed: int, numbers: Iterable[int]) -> Iterator[tuple[Generated, CommandOutcome]]:
    """The outcomes of these numbers, in order, from a process for each processor."""
    with ProcessPoolExecutor(os.cpu_count(), initializer=gc.freeze) as pool:
        yield from pool.map(partial(numbered, seed), numbers, chunksize=10)


def counted(counts: Counter[str], of: Generated, found: CommandOutcome) -> None:
    """Add an outcome to the counts."""
    where = "beyond the subset" if of.beyond else "inside the subset"
    for command, verdict in (
        (" ", ""),
        (", check: ", found.check),
        (", prove: ", found.prove or "not asked"),
    ):
        counts[f"{where}{command}{verdict.partition(' ')[0]}".strip()] += 1
    counts["a property false, another proved"] += bool(found.false and found.proved)
    counts["wrong"] += bool(found.wrong)
    counts["specifications"] += 1


def lacks(counts: Counter[str]) -> list[str]:
    """Why the counts say little: too few specifications with a property of each verdict, or too many refusals."""
    mixed = counts["a property false, another proved"] >= LEAST_MIXED * counts["specifications"]
    read = counts["inside the subset, prove: refused"] <= MOST_REFUSED * counts["inside the subset"]
    return ["too few have a property of each verdict"] * (not mixed) + ["too many are refused"] * (not read)


def small(of: Generated) -> Generated:
    """The smallest specification with a disagreement of the same kind."""
    return shrunk(
        of, lambda each: {re.sub(r"\S*(?:\d|item_)\S*", "#", wrong)[:50] for wrong in outcome(each).wrong}
    )
