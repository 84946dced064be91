"""Whether what a subject brings is asyncio's own code: derived from it, or copied.

Theory of operation.  What a version of asyncio is known for is held against a subject only where the code is its own.
Code that was copied is asyncio's as much as what was imported, though a line of it be changed.  Two pieces of code are
compared by what each line, compiled, speaks of: names, constants and comparisons.  A copy has more than half of
asyncio's lines.
"""

from __future__ import annotations

import dis
from collections import Counter
from collections.abc import Iterator
from types import CodeType
from typing import Any, Final

from .subject import ORIGINALS

# `Any` in this file: a namespace under test has names of any kind.
Lines = Counter[tuple[str, ...]]

#: What of asyncio's lines a copy has more of than this.
SHARE: Final = 0.5
#: The operations that speak of something; jumps tell only where things stand.
TELLING: Final = frozenset([*dis.hasname, *dis.haslocal, *dis.hasfree, *dis.hasconst, *dis.hascompare])


def is_asyncios(name: str, brought: Any) -> bool:
    """Whether what a subject brings by that name derives from asyncio's thing of that name, or is a copy of it."""
    return derived(name, brought) or any(
        shared(lines(original), lines(brought)) > SHARE for original in ORIGINALS.get(name, ())
    )


def derived(name: str, brought: Any) -> bool:
    """Whether what a subject brings is a class that derives from asyncio's of that name."""
    originals = tuple(original for original in ORIGINALS.get(name, ()) if isinstance(original, type))
    return isinstance(brought, type) and issubclass(brought, originals)


def shared(original: Lines, other: Lines) -> float:
    """What part of the lines of `original` stands in `other`."""
    return (original & other).total() / original.total() if original else 0.0


def lines(thing: object) -> Lines:
    """The lines of a function, or of all functions of a class and of those that it derives from."""
    return Counter(line for code in codes(thing) for line in lines_of(code))


def codes(thing: object) -> Iterator[CodeType]:
    """The code of a function, with the functions within; of a class that of its methods."""
    if isinstance(thing, type):
        for base in thing.__mro__:
            for method in vars(base).values():
                if not isinstance(method, type):
                    yield from codes(getattr(method, "fget", None) or getattr(method, "__func__", method))
    code = thing if isinstance(thing, CodeType) else getattr(thing, "__code__", None)
    if isinstance(code, CodeType):
        yield code
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                yield from codes(constant)


def lines_of(code: CodeType) -> Iterator[tuple[str, ...]]:
    """What each line of a piece of code speaks of."""
    line: list[str] = []
    for instruction in dis.get_instructions(code):
        if instruction.starts_line and line:
            yield tuple(line)
            line = []
        if instruction.opcode in TELLING and not isinstance(instruction.argval, CodeType):
            line.append(str(instruction.argval))
    if line:
        yield tuple(line)


__all__ = ["derived", "is_asyncios"]
