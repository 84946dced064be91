"""Make a specification smaller, as long as the kit is wrong about it in the same way."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any

from .generator import Generated


def shrunk(found: Generated, kinds: Callable[[Generated], set[str]]) -> Generated:
    """The smallest specification that was met with one of the same kinds of disagreement."""
    wrong = kinds(found)
    while (less := next((each for each in smaller(found) if wrong & kinds(each)), None)) is not None:
        found = less
    return found


def smaller(of: Generated) -> Iterator[Generated]:
    """Specifications without one of the fields, and with a shorter text; the largest pieces go first."""
    fields = re.split(r", (?=\w+: )", of.state)
    for i in range(len(fields) if len(fields) > 1 else 0):
        yield Generated(", ".join([*fields[:i], *fields[i + 1 :]]), of.text, of.beyond)
    tree = ast.parse(of.text)
    size = len(ast.unparse(tree))
    for node in ast.walk(tree):
        for name, value in list(ast.iter_fields(node)):
            for less in pieces(value) if name not in ("annotation", "returns", "func") else ():
                setattr(node, name, less)
                if len(text := ast.unparse(tree)) < size and is_python(text):
                    yield Generated(of.state, text + "\n", of.beyond)
            setattr(node, name, value)


def pieces(value: Any) -> Iterator[Any]:  # the value of a field of a syntax tree
    """A list without an item, or with a part of it in its place; in the place of an expression a constant or a part."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            inner = (
                [*getattr(item, "body", []), *getattr(item, "orelse", [])]
                if isinstance(item, ast.stmt)
                else []
            )
            for less in [[], inner, *([each] for each in pieces(item))]:
                yield [*value[:i], *less, *value[i + 1 :]]
    elif isinstance(value, ast.expr) and not isinstance(value, ast.Constant):
        yield from (ast.Constant(constant) for constant in (True, False, 0, 1))
        yield from (child for child in ast.walk(value) if isinstance(child, ast.expr) and child is not value)


def is_python(text: str) -> bool:
    try:
        compile(text, "text", "exec")
    except SyntaxError:
        return False
    return True
