"""The catalogue of vectors: a text for each family; its first line is its title."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from ..vector import Make, Vector, vector, vectors
from . import handovers


class Family(NamedTuple):
    """The vectors of a text; its name is that of the file."""

    name: str
    path: Path
    vectors: list[Vector]


def read(name: str, make: Make = vector) -> Family:
    """Return the family of this name.

    Raises:
        SyntaxError: as `vectors`, with the file and the line of the program.
    """
    path = Path(__file__).with_name(f"{name}.txt")
    text = path.read_text(encoding="utf-8")
    return Family(name, path, vectors(text[text.index("\n") :], make, str(path)))


FAMILIES: Final = (
    *map(read, ("futures", "tasks", "cancels", "shields", "locks", "semaphores", "conditions", "events")),
    *map(read, ("barriers", "queues", "joins", "timeouts", "waitfors", "gathers", "waits")),
    *map(read, ("groups", "group_ends", "group_cancels")),
    read("handovers", handovers.make),
)

CATALOGUE: Final[tuple[Vector, ...]] = tuple(chain.from_iterable(family.vectors for family in FAMILIES))
