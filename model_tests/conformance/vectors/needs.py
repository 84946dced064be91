"""The names that a program needs, so that a player can say which programs it can play."""

from collections.abc import Collection, Iterator
from typing import Any, Final

from ...programs.shrink import all_blocks
from ..normal import REPORTS

# `Any` in this file: JSON.

_RARE: Final = frozenset({"yield", "forget", "async for"})
#: Classes that every player has: as FORMAT.md says.
_USUAL: Final = [
    "Exception",
    "RuntimeError",
    "ValueError",
    "TypeError",
    "LookupError",
    "KeyError",
    "IndexError",
]
#: Where a statement of a kind has its expressions.
_EXPRESSIONS: Final = {
    "do": slice(1),
    "await": slice(1),
    "yield": slice(1),
    "return": slice(1),
    "let": slice(1, 2),
    "with": slice(1),
    "for": slice(1, 2),
    "async for": slice(1, 2),
    "raise": slice(1, None),
}


def needs(program: dict[str, Any], rules: Collection[str]) -> list[str]:
    """Return the needed names: functions and classes, methods as `.get`, keywords as `name=`, rare statements.

    `handler` is among them if the program is about reports to the exception handler.
    """
    statements = [statement for block in all_blocks(program) for statement in block]
    found = {kind for kind, *_ in statements if kind in _RARE}
    found.update(["handler"] if not REPORTS.isdisjoint(rules) else [])
    found.update(rest[0] for kind, *rest in statements if kind == "raise" and rest)
    parts = [rest[_EXPRESSIONS[kind]] for kind, *rest in statements if kind in _EXPRESSIONS]
    for e in [e for part in [*parts, *program["callbacks"].values()] for e in part]:
        found.update(called(e))
    own = {rest[0] for kind, *rest in statements if kind == "let"}
    own.update(["body", "list", "main", *program["bodies"], *program["callbacks"], *_USUAL])
    return sorted(found - own)


def called(e: Any) -> Iterator[str]:
    """Yield the names of the calls in an expression, and of their keywords."""
    if isinstance(e, dict):
        yield from (f"{keyword}=" for keyword in e)
        parts = list(e.values())
    elif isinstance(e, list):
        _, dot, name = e[0].rpartition(".")
        yield dot + name
        parts = e[1:]
    else:
        return
    for part in parts:
        yield from called(part)
