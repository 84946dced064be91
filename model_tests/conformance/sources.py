"""What is played on a subject, in this order: the catalogue, the enumeration, random programs.

Theory of operation.  A `Scenario` is a program with the rules that it would show broken.  The catalogue comes first: it
meets every rule.  The enumeration comes shortest first, over all rooms, so that the first failing one is the smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from ..programs.generate import seeded
from ..programs.runtimes import Ours, timed
from ..vectors.catalogue import CATALOGUE
from ..vectors.player import Player
from .awaiting import AWAITING
from .enumeration import Rules, of_room
from .normal import played
from .rooms import ROOMS

# `Any` in this file: programs are JSON.
Program = dict[str, Any]
Line = list[Any]


@dataclass(frozen=True)
class Scenario:
    """A program to be played.

    `rules` are what it would show broken, or none for a random one; `kinds` says which by the kind of a difference;
    `since` is the first CPython that has the names it uses.
    """

    name: str
    program: Program
    rules: tuple[str, ...] = ()
    kinds: Rules | None = None
    since: tuple[int, int] = (3, 6)

    @cached_property
    def expected(self) -> list[Line]:
        """What the reference shows."""
        return played(lambda: Player(self.program, Ours()).play())

    @cached_property
    def timed(self) -> bool:
        """Whether it may wait for time to pass."""
        return timed(self.program)


def catalogue() -> Iterator[Scenario]:
    """The vectors."""
    for vector in CATALOGUE:
        yield Scenario(vector.name, vector.program, vector.rules, None, vector.since)


def enumeration(wanted: Callable[[str], bool] = lambda rule: True) -> Iterator[Scenario]:
    """The small scope of the rooms that are about a rule that is wanted, the shortest words first."""
    found = [
        (
            len(word),
            Scenario(f"{room.name}: {word}", program, tuple(room.rules.all()), room.rules, room.since),
        )
        for room in (*ROOMS, *AWAITING)
        if any(map(wanted, room.rules.all()))
        for word, program in of_room(room)
    ]
    found.sort(key=lambda pair: pair[0])  # stable
    return (scenario for _, scenario in found)


def random(runs: int) -> Iterator[Scenario]:
    """So many programs by seed, every second one with timers."""
    for seed in range(runs):
        yield Scenario(f"random program {seed}", seeded(seed, timers=bool(seed % 2)))


#: How many random programs are played, unless it is said.
RUNS: Final = 300
