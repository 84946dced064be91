"""Programs that do the same many times, to see whether each time leaves an object behind.

Each is an interleaving of a scenario (`programs/enumeration.py`): a waiter that is cancelled, one that is served, and
one that is cancelled when it has been served.  A `repeat` (programs/staged.py) counts the objects.  Programs on which
the reference keeps objects are left out: those leave tasks that wait.  On one thing, each waiter is followed by one
that is served: what is kept until then is not kept for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ...programs.enumeration import Json, Program, Scenario, program
from ...programs.runtimes import timed
from ...programs.staged import KEEPS
from .awaiting import AWAITING
from .scenarios import SCENARIOS
from .sources import Case

#: The interleavings.
MOVES = ("t1", "th", "th1")


def leaks(most: int, about: Callable[[Program], bool]) -> Iterator[Case]:
    """Yield programs for scenarios and interleavings, on one thing and on a new one each time.

    `about` chooses the scenarios; of more than `most` programs, so many are taken at equal distances.
    """
    found = [
        (f"{scenario.name}: {moves}, many times" + ", each on a new one" * new, scenario, moves, new)
        for scenario in (*SCENARIOS, *AWAITING)
        if about(program(scenario, 1, "t1"))
        for moves in MOVES
        for new in (False, True)
    ]
    for name, scenario, moves, new in found[:: -(-len(found) // most) or 1]:
        rules = tuple(scenario.rules.all())
        case = Case(name, repeated(scenario, moves, new), rules, scenario.rules, scenario.since)
        if not timed(case.program) and not any(KEEPS in line for line in case.expected):
            yield case


def repeated(scenario: Scenario, moves: str, new: bool) -> Program:
    """Return the interleaving as a repeat; with `new`, all of it, else what follows the setup."""
    setup = [] if new else scenario.setup
    once: list[Json] = []
    for each in (moves,) if new else (moves, "th"):
        played = program(replace(scenario, after=[]), 1, each)
        rest = [*played["main"][len(setup) :], ["turn", 4], ["do", ["a.cancel"]], ["turn", 4]]
        once.append(["try", rest, [["Exception", []]]])
    return {**played, "main": [*setup, ["repeat", once]]}
