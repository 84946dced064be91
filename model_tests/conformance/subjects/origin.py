"""Whether a thing that a subject brings is asyncio's own code, derived from it or copied, or impl's.

The known bugs of a version of asyncio excuse a subject only where the code is asyncio's.  Copied code is asyncio's
too, even if a line of it differs.  Two pieces of code are compared by the names, constants and comparisons in each
compiled line; a copy has more than half of asyncio's lines.
"""

import dis
from collections import Counter
from collections.abc import Iterator
from functools import partial
from types import CodeType
from typing import Any, Final

import impl

from .members import codes
from .subject import ORIGINALS

#: A value of a namespace under test.
Thing = Any
Lines = Counter[tuple[str, ...]]

#: The share of asyncio's lines above which code is a copy.
SHARE: Final = 0.5
#: The operations that refer to a name, a constant or a comparison; jumps depend on positions.
REFERRING: Final = frozenset([*dis.hasname, *dis.haslocal, *dis.hasfree, *dis.hasconst, *dis.hascompare])


def is_asyncios(name: str, brought: Thing) -> bool:
    """Return whether a thing derives from asyncio's thing of that name, calls one of that name, or is a copy of it."""
    while isinstance(brought, partial):
        brought = brought.func
    return (
        derived(name, brought)
        or calls(name, brought)
        or any(shared(lines(original), lines(brought)) > SHARE for original in ORIGINALS.get(name, ()))
    )


def of_impl(brought: Thing) -> bool:
    """Return whether a thing is impl's, or a class that derives from one of impl's."""
    return any(
        str(getattr(base, "__module__", "")).startswith(f"{impl.__name__}.")
        for base in (brought.__mro__ if isinstance(brought, type) else (brought,))
    )


def derived(name: str, brought: Thing) -> bool:
    """Return whether a thing is a class that derives from asyncio's class of that name."""
    originals = tuple(original for original in ORIGINALS.get(name, ()) if isinstance(original, type))
    return isinstance(brought, type) and issubclass(brought, originals)


def calls(name: str, brought: Thing) -> bool:
    """Return whether a function calls one of its own name, or of that text, as a wrapper of asyncio's does."""
    return not isinstance(brought, type) and any(name in (*c.co_names, *c.co_consts) for c in codes(brought))


def shared(original: Lines, other: Lines) -> float:
    """Return the share of the lines of `original` that are in `other`."""
    return (original & other).total() / original.total() if original else 0.0


def lines(thing: object) -> Lines:
    """Return the lines of a function, or of all methods of a class and its bases."""
    return Counter(line for code in codes(thing) for line in lines_of(code))


def lines_of(code: CodeType) -> Iterator[tuple[str, ...]]:
    """Yield the names, constants and comparisons of each line."""
    line: list[str] = []
    for instruction in dis.get_instructions(code):
        if instruction.starts_line and line:
            yield tuple(line)
            line = []
        if instruction.opcode in REFERRING and not isinstance(instruction.argval, CodeType):
            line.append(str(instruction.argval))
    if line:
        yield tuple(line)
