"""Programs that do the same many times, to see whether each time leaves an object behind.

Each is an interleaving of a scenario (`programs/enumeration.py`): a waiter that is cancelled, one that is served, and
one that is cancelled when it has been served.  A `repeat` (programs/stages.py) counts the objects.  Programs on which
the reference keeps objects are left out: those leave tasks that wait.  On one thing, each waiter is followed by one
that is served: an object that is kept until then is not kept forever.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from ...programs.enumeration import Json, Program, Scenario, program
from ...programs.runtimes import timed
from ...programs.stages import KEEPS
from ...programs.usage import uses
from ...programs.vectors.vector import vectors
from ..attribute import LEAKS
from .awaiting import AWAITING
from .scenarios import SCENARIOS
from .sources import Case, Wanted, all_wanted

#: Programs with an `again()` that stands for many rounds of `once`.
WRITTEN: Final = vectors(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"))
#: The interleavings.
MOVES = ("t1", "th", "th1")


def leaks(most: int, about: Callable[[Program], bool], wanted: Wanted = all_wanted) -> Iterator[Case]:
    """Yield programs for scenarios and interleavings, on one thing and on a new one each time.

    `about` chooses the scenarios; of more than `most` programs, so many are taken at equal distances,
    and of these the wanted ones.
    """
    for vector in WRITTEN:
        if not wanted(vector.rules, vector.since):
            continue
        statements = vector.program["bodies"]["once"]
        whole = replaced(vector.program, ["do", ["again"]], ["repeat", statements])
        case = Case(vector.name, whole, vector.rules, None, vector.since)
        if about(case.program) and not keeps(case):
            yield case
    found = [
        (f"{scenario.name}: {moves}, many times" + ", each on a new one" * new, scenario, moves, new)
        for scenario in (*SCENARIOS, *AWAITING)
        if about(program(scenario, 1, "t1"))
        for moves in MOVES
        for new in (False, True)
    ]
    for name, scenario, moves, new in found[:: -(-len(found) // most) or 1]:
        repeats = repeated(scenario, moves, new)
        names = {use.name for use in uses(repeats)}
        rules = tuple(dict.fromkeys(rule for each, rule in LEAKS.items() if each in names))
        if not wanted(rules, scenario.since):
            continue
        case = Case(name, repeats, rules, None, scenario.since)
        if not timed(case.program) and not keeps(case):
            yield case


def keeps(case: Case) -> bool:
    """Return whether objects are left on the reference."""
    return any(KEEPS in line for line in case.expected)


def replaced(part: Json, old: Json, new: Json) -> Json:
    """Return a part of a program with `new` in the place of `old`."""
    if part == old:
        return new
    if isinstance(part, dict):
        return {key: replaced(each, old, new) for key, each in part.items()}
    return [replaced(each, old, new) for each in part] if isinstance(part, list) else part


def repeated(scenario: Scenario, moves: str, new: bool) -> Program:
    """Return the interleaving as a repeat; with `new`, all of it, else what follows the setup."""
    setup = [] if new else scenario.setup
    once: list[Json] = []
    for each in (moves,) if new else (moves, "th"):
        played = program(replace(scenario, after=[]), 1, each)
        rest = [*played["main"][len(setup) :], ["turn", 4], ["do", ["a.cancel"]], ["turn", 4]]
        once.append(["try", rest, [["Exception", []]]])
    return {**played, "main": [*setup, ["repeat", once]]}
