"""The members of a class: its public attributes, those that its methods assign, and its protocols."""

import dis
from collections.abc import Iterator
from functools import cache
from types import CodeType
from typing import Final

#: The methods with underscores that programs need, as reports call them.
PROTOCOLS: Final = {
    "__aenter__": "async with",
    "__aexit__": "the end of async with",
    "__aiter__": "async for",
    "__anext__": "anext()",
    "__await__": "await",
}
STORE_ATTR: Final = dis.opmap["STORE_ATTR"]


def members(cls: type) -> set[str]:
    """Return the public attributes of a class and of its instances, and the protocols that it has."""
    return {name for name in {*dir(cls), *stored(cls)} if name[:1] != "_" or name in PROTOCOLS}


def has(cls: type, member: str) -> bool:
    """Return whether the class, what its methods store, or its `__getattr__` has such a member."""
    return hasattr(cls, member) or hasattr(cls, "__getattr__") or member in stored(cls)


@cache
def stored(cls: type) -> set[str]:
    """Return the names of attributes that the methods of a class assign."""
    # Most methods assign none, and the bytes tell that at once: each second one is an operation, or a cache.
    assigning = [code for code in codes(cls) if STORE_ATTR in code.co_code[::2]]
    return {step.argval for code in assigning for step in dis.get_instructions(code) if step.opcode == STORE_ATTR}


def codes(thing: object) -> Iterator[CodeType]:
    """Yield the code of a function and of the functions in it, or that of the methods of a class."""
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
