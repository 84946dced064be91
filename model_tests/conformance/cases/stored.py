"""The expected lines of the kit's programs, as they are stored: no code under test computes what is expected of it.

Those of the catalogue are in vectors.json.  Those of the interleavings, of the programs that run in other ways, of the
random ones and of those that look for leaks are in expected.txt: JSON, compressed, as base 85.  Many programs have the
same lines; each list is there once.  `python -m model_tests.conformance.expected` writes the file, and a test keeps it
fresh.
"""

from __future__ import annotations

import json
import lzma
from base64 import b85decode, b85encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from textwrap import wrap
from typing import Final

from ...programs.enumeration import Json, Program
from ...vectors.command import FILE as VECTORS
from ..normal import Line

FILE: Final = Path(__file__).with_name("expected.txt")
#: Hexadecimal digits of the key of a program: none of the stored ones share a key.
KEY: Final = 8
#: Characters in a line of the file.
WIDTH: Final = 100


def key(program: Program) -> str:
    """Return a text that identifies a program."""
    return sha256(json.dumps(program).encode()).hexdigest()[:KEY]


@cache
def vectors() -> list[Json]:
    """Return the vectors of vectors.json, as they are there."""
    read: list[Json] = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
    return read


@cache
def stored() -> dict[str, list[Line]]:
    """Return the expected lines by the key of their program."""
    lines = {key(vector["program"]): vector["expected"] for vector in vectors()}
    read = json.loads(lzma.decompress(b85decode("".join(FILE.read_text(encoding="ascii").split()))))
    lines.update((of, read["lines"][number]) for of, number in read["programs"].items())
    return lines


def lines_of(program: Program) -> list[Line] | None:
    """Return the lines that are stored for a program, or None."""
    return stored().get(key(program))


def text(lines: Mapping[str, str]) -> str:
    """Return the text of the file with these lines, as JSON, by the key of their program."""
    numbers: dict[str, int] = {}
    programs = {of: numbers.setdefault(each, len(numbers)) for of, each in lines.items()}
    whole = json.dumps({"lines": list(map(json.loads, numbers)), "programs": programs})
    packed = b85encode(lzma.compress(whole.encode(), preset=9)).decode()
    return "".join(f"{line}\n" for line in wrap(packed, WIDTH))
