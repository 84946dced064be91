"""The differences between two observations of a program, line by line."""

from typing import Final, NamedTuple

from .enumeration import Program
from .runtimes import Line
from .shrink import statements

#: By the function that makes it: the class of a thing.
MADE: Final = {
    **dict.fromkeys(("create_task", "loop.create_task", "ensure_future"), "Task"),
    "loop.create_future": "Future",
}


class DifferentStep(NamedTuple):
    """A step of one actor, with its outcomes as expected and as seen; none if it did not end."""

    actor: str
    what: str
    wanted: tuple[str, ...]
    had: tuple[str, ...]


def compared(expected: list[Line], seen: list[Line]) -> list[DifferentStep]:
    """Return the calls with other outcomes, in the order of the lines."""
    wanted, had = outcomes(expected), outcomes(seen)
    return [
        DifferentStep(*key, wanted.get(key, ()), had.get(key, ()))
        for key in dict.fromkeys([*wanted, *had])
        if wanted.get(key) != had.get(key)
    ]


def outcomes(lines: list[Line]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the outcomes of each action of each actor."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for _, actor, what, outcome in lines:
        found[actor, what] = (*found.get((actor, what), ()), outcome)
    return found


def classes(program: Program) -> dict[str, str]:
    """Return the class of each named thing: the name of its maker."""
    found: dict[str, str] = {"main": "Task"}
    for block, place in statements(program):
        kind, *rest = block[place]
        if kind == "let" and isinstance(rest[1], list):
            head = rest[1][0]
            found[str(rest[0])] = str(MADE.get(head, head))
        elif kind == "with" and isinstance(rest[0], list) and rest[1]:
            found[str(rest[1])] = str(rest[0][0])
    return found
