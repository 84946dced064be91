"""A vector: a program, the rules that it shows, and the first CPython with its names if that is not 3.6.

The catalogue is text; a line with name, rules and version precedes each program (`written.py`):

    # getters are served oldest first: QUEUE-3 QUEUE-23
    # the message goes along the chain: CANCEL-10, since 3.9
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from spec.kit.core import IDENTIFIER

from .written import Program, program

#: The line above a program.
HEAD: Final = re.compile(
    rf"^# (?P<name>.+): (?P<rules>{IDENTIFIER}(?: {IDENTIFIER})*)(?:, since 3\.(?P<minor>\d+))?$", re.M
)
#: The first CPython that the player runs on.
FIRST: Final = (3, 6)


class Vector(NamedTuple):
    """A program (FORMAT.md), the rules that it would show broken, and the first CPython that has its names."""

    name: str
    rules: tuple[str, ...]
    program: Program
    since: tuple[int, int] = FIRST


def vectors(text: str, before: str = "") -> list[Vector]:
    """Return the vectors of a text; each program is preceded by the lines of `before`.

    Raises:
        SyntaxError: there is no vector; something precedes the first; or as `written.program`.
    """
    heads = list(HEAD.finditer(text))
    if not heads or text[: heads[0].start()].strip():
        raise SyntaxError(f"this begins with no vector: {text[:40]!r}")
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return [
        Vector(
            head["name"],
            tuple(head["rules"].split()),
            program(before + text[head.end() : end]),
            (3, int(head["minor"])) if head["minor"] else FIRST,
        )
        for head, end in zip(heads, ends, strict=True)
    ]
