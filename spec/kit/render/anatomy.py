"""The parts of a specification besides its rules: its theory, its constants and state, the sets that they are made of.

Functions, dataclasses and enumerations know where they are written; docstrings, and the comments beside fields and
members, are taken from there.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import fields
from enum import EnumMeta
from types import FunctionType
from typing import Any, NewType, get_args

from ..core import Spec
from .infer import hints, is_record, roles, set_name
from .markdown import paragraphs, prose
from .source import helpers, roots, source

# Any below: types as `typing` gives them have no common type; a specification may have any constants and states.


def module_of(spec: Spec[Any, Any]) -> str:
    """The module of a specification: that of its first own rule."""
    inherited = set(roots(spec.extends)) if spec.extends else set()
    return next((fn for fn in roots(spec) if fn not in inherited), spec.state).__module__


def theory(module: str) -> list[str]:
    """The paragraphs of the docstring of a module."""
    return paragraphs(inspect.getdoc(sys.modules[module]) or module)


def in_order(found: Iterable[FunctionType], spec: Spec[Any, Any]) -> list[FunctionType]:
    """Functions in the order of their files; a specification that extends another comes after it."""
    files = list(dict.fromkeys(source(fn).path for fn in [*roots(spec), *helpers(spec)]))
    return sorted(set(found), key=lambda fn: (files.index(source(fn).path), source(fn).line))


def records(spec: Spec[Any, Any]) -> list[Any]:
    """The constants, the state, and the sets that they and parameters are made of."""
    types = [of for fn in [*roots(spec), *helpers(spec)] for of in hints(fn).values()]
    found = [constants_of(spec), spec.state, *(kind for of in types for kind in kinds_in(of))]
    return [of for of in dict.fromkeys(found) if of is not None]


def written(fn: FunctionType) -> list[str]:
    """The lines of a function, without its docstring."""
    read = source(fn)
    first, begin = read.tree.body[0].lineno, read.body[0].lineno
    lines = [*read.lines[read.line - 1 : first - 1], *read.lines[begin - 1 : read.tree.end_lineno]]
    return textwrap.dedent("".join(lines)).splitlines()


def constants_of(spec: Spec[Any, Any]) -> Any:
    """The dataclass of the constants: the type of the first parameter of the rules."""
    for fn in roots(spec):
        name = roles(fn).k
        of = hints(fn).get(name) if name else None
        if is_record(of):
            return of
    return None


def kinds_in(of: Any) -> Iterator[Any]:
    """The sets that a type is made of."""
    if isinstance(of, NewType | EnumMeta):
        yield of
    elif is_record(of):
        for field in fields(of):
            yield from kinds_in(hints(of)[field.name])
    else:
        for part in get_args(of):
            yield from kinds_in(part)


def comments(of: type[Any]) -> dict[str, str]:
    """The comments beside the fields or members of a class."""
    try:
        lines = inspect.getsourcelines(of)[0]
    except OSError:  # it was made by a call, such as Enum("Colour", "RED GREEN")
        return {}
    found = (re.match(r"\s+(\w+)\b[^#]*#\s*(.*)$", line) for line in lines)
    return {match[1]: match[2] for match in found if match}


def rows(of: Any) -> list[tuple[str, str, str]]:
    """The fields of a dataclass: name, set, and the comment beside it."""
    beside = comments(of)
    return [(f.name, set_name(hints(of)[f.name]), beside.get(f.name, "")) for f in fields(of)]


def members(of: Any) -> str:
    """The members of an enumeration, each with the comment beside it."""
    beside = comments(of)
    return ", ".join(f"`{name}`" + (f" ({prose(beside[name])})" if name in beside else "") for name in of.__members__)
