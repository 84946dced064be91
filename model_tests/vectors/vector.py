"""A vector: a program and the rules that it shows.

Theory of operation.  The catalogue writes vectors one after the other in a text, each with its name, its rules and, if
its names are not in every CPython from 3.6 on, the first that has them, in a line above its program (`written.py`):

    # getters are served oldest first: QUEUE-3 QUEUE-23
    # the message goes along the chain: CANCEL-10, since 3.9
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .written import Program, program

#: The line above a program.
HEAD: Final = re.compile(
    r"^# (?P<name>.+): (?P<rules>[A-Z]+-\d+(?: [A-Z]+-\d+)*)(?:, since 3\.(?P<minor>\d+))?$", re.M
)
#: The first CPython that the player runs on.
FIRST: Final = (3, 6)


class Vector(NamedTuple):
    """What is played (FORMAT.md), the rules that it would show broken, and the first CPython that has its names."""

    name: str
    rules: tuple[str, ...]
    program: Program
    since: tuple[int, int] = FIRST


def vectors(text: str, before: str = "") -> list[Vector]:
    """The vectors of a text; each program begins with the lines of `before`.

    Raises:
        SyntaxError: there is no vector; something stands above the first; or as `written.program`.
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
