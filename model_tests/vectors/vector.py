"""A vector: a program and the rules that it shows."""

from __future__ import annotations

from typing import NamedTuple

from .written import Program, program


class Vector(NamedTuple):
    """What is played (FORMAT.md), the rules that it would show broken, and the first CPython that has its names."""

    name: str
    rules: tuple[str, ...]
    program: Program
    since: tuple[int, int] = (3, 6)


def vector(name: str, rules: str, text: str, since: tuple[int, int] = (3, 6)) -> Vector:
    """The vector of a program that is written as Python; `rules` are parted by spaces.

    Raises:
        SyntaxError: as `written.program`.
    """
    return Vector(name, tuple(rules.split()), program(text), since)
