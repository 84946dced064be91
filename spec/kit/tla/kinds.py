"""The kinds of values that operations of the subset distinguish: `+` of numbers is not `+` of tuples."""

from __future__ import annotations

import ast
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, NamedTuple, NewType, Union, get_args, get_origin

from ..core import Map

# Any below: types as `typing` gives them.

#: The kinds of values, by their types in Python.
KINDS: dict[Any, str] = {
    bool: "bool",
    int: "number",
    tuple: "tuple",
    frozenset: "set",
    Map: "map",
    str: "word",
}
#: The beginning of the kind of a value that may be None; such values are compared only.
OPTIONAL = "perhaps "
RELATIONS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
SETS = {"<": "({0} \\subseteq {1} /\\ {0} # {1})", "<=": "({0} \\subseteq {1})"}
TUPLES = {"<": "Less({0}, {1})", "<=": "(~Less({1}, {0}))"}


class Domain(NamedTuple):
    """The range of a loop: its text, the type of its elements, whether it is a sequence."""

    text: str
    of: Any
    sequence: bool

    @property
    def elements(self) -> str:
        return f"Range({self.text})" if self.sequence else self.text


def kind(of: Any) -> str | None:
    """The kind of the values of a type; None if it is not known."""
    while isinstance(of, NewType):
        of = of.__supertype__
    origin = get_origin(of) or of
    if origin in (Union, UnionType):
        kinds = {kind(part) for part in get_args(of) if part is not NoneType}
        maybe = OPTIONAL * (NoneType in get_args(of))
        return f"{maybe}{kinds.pop()}" if len(kinds) == 1 and None not in kinds else None
    if origin in KINDS:
        return KINDS[origin]
    if isinstance(origin, type) and issubclass(origin, Enum):
        return next((name for base, name in KINDS.items() if issubclass(origin, base)), f"enum {origin}")
    return f"record {origin.__qualname__}" if is_dataclass(origin) and isinstance(origin, type) else None
