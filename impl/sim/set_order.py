"""Iterations over sets of objects in the order of their addresses, which differ from run to run.

An object without a hash of its own hashes by its address.  So the order of a set of such objects is no function of the
choices, and neither is a program that iterates over it.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from inspect import getattr_static
from pathlib import Path
from types import FrameType
from typing import Any, Final, TypeVar
from weakref import WeakSet

from .frames import is_library
from .garbage import parsed

#: The hash of objects that have none of their own.
_BY_ADDRESS: Final[object] = object.__hash__

# Any in this file: values of the program, and the functions that sys.settrace takes.

T = TypeVar("T")

#: Functions that look at their arguments in order, by the last part of their name.
_ITERATES: Final = frozenset(
    {"list", "tuple", "iter", "next", "enumerate", "zip", "map", "deque", "gather", "wait", "extend"}
)


def first_iteration(run: Callable[[], T]) -> tuple[T, str]:
    """Call a function; returns its result, and the first line that iterates over such a set, as `FILE, line N`, or "".

    Lines of this package and of Python's own library do not count.
    """
    found: list[str] = []

    def line(frame: FrameType, event: str, arg: Any) -> Any:
        file, number = frame.f_code.co_filename, frame.f_lineno
        if found:
            return None
        if event == "line" and any(_by_address(_value(each, frame)) for each in _iterated(file).get(number, ())):
            found.append(f"{os.path.relpath(file)}, line {number}")
        return line

    def call(frame: FrameType, event: str, arg: Any) -> Any:
        return None if found or is_library(frame.f_code.co_filename) else line

    before = sys.gettrace()
    sys.settrace(call)
    try:
        return run(), "".join(found)
    finally:
        sys.settrace(before)


@cache
def _iterated(file: str) -> dict[int, list[ast.expr]]:
    """The names and attributes that a file iterates over, by their lines."""
    found: dict[int, list[ast.expr]] = {}
    with suppress(OSError, SyntaxError, ValueError):
        for node in ast.walk(parsed(Path(file).read_bytes())):
            for each in _iterates(node):
                if isinstance(each, ast.Name | ast.Attribute):
                    found.setdefault(each.lineno, []).append(each)
    return found


def _iterates(node: ast.AST) -> Sequence[ast.expr]:
    """The expressions that a node iterates over, or copies."""
    match node:
        case ast.For(iter=each) | ast.comprehension(iter=each) | ast.Starred(value=each):
            return [each]
        case ast.Call(func=ast.Attribute(attr="pop" | "copy", value=each), args=[]):
            return [each]
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in _ITERATES:
            return args
    return []


def _value(node: ast.AST, frame: FrameType) -> Any:
    """The value of a name or an attribute, read without running code of the program; None: it has none."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    return getattr_static(_value(node.value, frame), node.attr, None) if isinstance(node, ast.Attribute) else None


def _by_address(value: Any) -> bool:
    """Whether the order of a value is that of addresses."""
    held = list(value) if type(value) in (set, frozenset, WeakSet) else []
    return len(held) > 1 and any(getattr(type(each), "__hash__", None) is _BY_ADDRESS for each in held)
