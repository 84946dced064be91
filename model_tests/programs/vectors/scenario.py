"""A scenario of the enumeration from texts in the language of the vectors (`programs/vectors/notation.py`)."""

from collections.abc import Mapping
from typing import Any, Final

from ..enumeration import BrokenRules, Json, Scenario, Statement
from .notation import program

#: A rule that a scenario does not have.
NONE: Final = "-"


def tried(text: str, error: str = "Exception") -> str:
    """Return statements, on one line, that may raise that error; the program goes on in any case."""
    return f"try: {text}\nexcept {error}: pass\n"


def scenario(
    name: str,
    rules: BrokenRules | str,
    setup: str,
    waits: str,
    *hand: str,
    other: str = "",
    after: str = "",
    bodies: Mapping[str, str] | None = None,
    callbacks: Mapping[str, list[Json]] | None = None,
    **more: Any,  # Any: waiters, moves, begun, since
) -> Scenario:
    """Return the scenario of these texts; the parameters are the fields of `Scenario`.

    `rules` are the first five fields of `BrokenRules`, NONE for an empty one; those at the end may be missing.
    """
    if isinstance(rules, str):
        named = ["" if rule == NONE else rule for rule in rules.split()] + [""] * 4
        value, stuck, order, cancel, lost = named[:5]
        rules = BrokenRules(value, stuck, order, cancel, lost)
    known = "".join(f"async def {body}(): pass\n" for body in bodies or ())

    def read(text: str) -> list[Statement]:
        statements: list[Statement] = program(f"{known}{text}\n")["main"]
        return statements

    return Scenario(
        name,
        rules,
        read(setup),
        read(waits),
        [read(each) for each in hand],
        read(other),
        read(after),
        {body: read(text) for body, text in (bodies or {}).items()},
        callbacks or {},
        **more,
    )
