"""A selection of the small-scope enumeration (`programs/enumeration.py`) as vectors.

Two or three tasks wait; main hands over, cancels one of them and lets a loop iteration pass, in some of the orders.
Then one more task waits and main hands over once more: a resource that is lost, or given twice, shows in the tasks
that are left.  The scenarios are in handovers.txt.
"""

import re
from collections.abc import Iterator
from typing import Final

from ...enumeration import WAITERS, BrokenRules, WaiterReference, program
from ..scenario import scenario
from ..vector import Vector, since

NEWCOMER: Final = "d"
#: A move, as the name of a vector has it.
MOVES: Final = {"h": "hand", "t": "turn"} | {str(number): task.upper() for number, task in enumerate(WAITERS, 1)}
#: The moves that follow those of the selection.
AFTERWARDS: Final = "tttnhtt"
#: The number of waiters, and the interleaving.
SELECTED: Final = (
    *("2 h1", "2 ht1", "2 1h", "2 1th", "2 h2", "2 ht2"),
    *("2 2h", "2 2th", "2 h12", "2 1h2", "2 12h", "2 h1t2"),
    *("3 hh1", "3 h1h", "3 1hh", "3 hh2", "3 hth2", "3 hh12"),
)
#: Main cancels only waiters that a notify has reached: COND-2 leaves the effects of another cancel open.
SELECTED_OF_CONDITION: Final = (
    *("2 h1", "2 hh1", "2 hh2"),
    *("3 h1", "3 h1th", "3 hh1", "3 hh2", "3 hh12", "3 hh2t1"),
)


def waiter(letter: str, place: int) -> WaiterReference:
    """Name a waiter as the catalogue does."""
    body = letter if letter in WAITERS else NEWCOMER
    return WaiterReference(body.upper(), body, place + 1)


def make(head: re.Match[str], text: str) -> Iterator[Vector]:
    """Yield the vectors of a scenario: empty lines part its setup, the body of a waiter, and how main hands over.

    Raises:
        SyntaxError: these are not three texts; or as `written.program`.
    """
    texts = text.strip().split("\n\n")
    if len(texts) != 3:
        raise SyntaxError(f"a scenario has three texts, not {len(texts)}: {head['name']}")
    value, *also = head["rules"].split()
    rules = BrokenRules(value, also=tuple(also))
    of = scenario(head["name"], rules, *texts, begun=True)
    for selected in SELECTED_OF_CONDITION if of.name == "Condition.wait" else SELECTED:
        number, moves = selected.split()
        waiters = int(number)
        name = f"{of.name}: {' '.join(WAITERS[:waiters].upper())}: {' '.join(MOVES[m] for m in moves)}"
        made = program(of, waiters, moves + AFTERWARDS, waiter, "loop.create_task")
        yield Vector(name, tuple(rules.all()), {**made, "callbacks": {}}, since(head))
