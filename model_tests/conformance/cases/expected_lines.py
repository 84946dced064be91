"""The expected lines of the kit's programs, as they are stored: no code under test computes its own expected lines.

Those of the catalogue are in vectors.json.  Those of the interleavings, of the programs that run in other ways, of the
random ones and of those that look for leaks are in expected.txt: lines of JSON, compressed, as base 64.  Many programs
have the same expected lines; each list is there once, and read when it is needed.
`python -m model_tests.conformance.expectations` writes the file, and a test keeps it fresh.
"""

import json
import lzma
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from textwrap import wrap
from typing import Final

from ...programs.enumeration import Json, Program
from ...programs.vectors.vector import FILE as VECTORS
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
def stored() -> dict[str, str]:
    """Return the expected lines, as JSON, by the key of their program."""
    lines = {key(vector["program"]): json.dumps(vector["expected"]) for vector in vectors()}
    programs, *each = lzma.decompress(b64decode(FILE.read_bytes())).decode().split("\n")
    lines.update((of, each[number]) for of, number in json.loads(programs).items())
    return lines


def lines_of(program: Program) -> list[Line] | None:
    """Return the lines that are stored for a program, or None."""
    lines = stored().get(key(program))
    return None if lines is None else list(json.loads(lines))


def text(lines: Mapping[str, str]) -> str:
    """Return the text of the file with these lines, as JSON, by the key of their program."""
    numbers: dict[str, int] = {}
    programs = {of: numbers.setdefault(each, len(numbers)) for of, each in lines.items()}
    whole = "\n".join([json.dumps(programs), *numbers])
    packed = b64encode(lzma.compress(whole.encode(), preset=9)).decode()
    return "".join(f"{line}\n" for line in wrap(packed, WIDTH))
