"""Syntax trees of Python files."""

from __future__ import annotations

import ast

from .uncollected import uncollected


def parsed(text: str | bytes, path: str = "<unknown>") -> ast.Module:
    """The syntax tree of a file; no garbage is collected meanwhile.

    A task that is collected may print a traceback, and since 3.11 a traceback parses its lines, too.  CPython 3.11 then
    raises SystemError in the first parse ("AST constructor recursion depth mismatch").

    Raises:
        SyntaxError: the text is not Python.
    """
    with uncollected():
        return ast.parse(text, path)
