"""A vector: a program, the rules that it shows, and the first CPython with its names if that is not 3.6.

The catalogue is text; a line with name, rules and version precedes each program (`notation.py`):

    # getters are served oldest first: QUEUE-3 QUEUE-23
    # the message goes along the chain: CANCEL-10, since 3.9

The lines below `# before:` precede each of the programs that follow, up to the next `# before:`.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from spec.kit.core import IDENTIFIER

from .notation import Program, program

#: The catalogue as JSON, with what the rules allow.
FILE: Final = Path(__file__).with_name("vectors.json")

#: The line above a program, or above the lines that precede programs.
HEAD: Final = re.compile(
    rf"# (?:before:|(?P<name>.+): (?P<rules>{IDENTIFIER}(?: {IDENTIFIER})*)(?:, since 3\.(?P<minor>\d+))?)"
)
#: The first CPython that the player runs on.
FIRST: Final = (3, 6)


class Vector(NamedTuple):
    """A program (FORMAT.md), the rules that it would show broken, and the first CPython that has its names."""

    name: str
    rules: tuple[str, ...]
    program: Program
    since: tuple[int, int] = FIRST


#: Makes the vectors of a head and the text below it.
Make = Callable[[re.Match[str], str], Iterable[Vector]]


def since(head: re.Match[str]) -> tuple[int, int]:
    """Return the first CPython that has the names of a program."""
    return (3, int(head["minor"])) if head["minor"] else FIRST


def vector(head: re.Match[str], text: str) -> list[Vector]:
    """Return the vector of a program."""
    return [Vector(head["name"], tuple(head["rules"].split()), program(text), since(head))]


def vectors(text: str, make: Make = vector, file: str = "vectors") -> list[Vector]:
    """Return the vectors of a text, which is in this file.

    Raises:
        SyntaxError: there is no vector; something precedes the first; a line that begins with # is no head; or as
            `written.program`.  It has the line of the head.
    """
    first, *parts = f"\n{text}".split("\n#")
    made: list[Vector] = []
    before, line = "", 1
    try:
        if first.strip() or not parts:
            raise SyntaxError(f"this begins with no vector: {text[:40]!r}")
        line += first.count("\n")
        for part in parts:
            title, _, body = part.partition("\n")
            head = HEAD.fullmatch(f"#{title}")
            if not head:
                raise SyntaxError(f"this is no head of a vector: {title.strip()}")
            if head["name"]:
                made += make(head, f"{before}\n{body}")
            else:
                before = body
            line += part.count("\n") + 1
    except SyntaxError as error:
        raise SyntaxError(error.msg, (file, line, None, None)) from error
    return made
