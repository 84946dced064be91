"""A patch that makes anyio deterministic: the hash of its cancel scopes.

anyio keeps cancel scopes in sets and iterates over them when one is cancelled.  Their hashes are addresses, so the
order differs from run to run.  With the patch, a scope that is first hashed while a simulated loop runs has a number of
that loop as its hash; other scopes keep theirs.  The class is private to anyio: `anyio._backends._asyncio`, tested with
anyio 4.16.  Without such a class the patch does nothing.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final, TypeAlias
from weakref import ref

from .base import simulated_loop

#: The module, and the versions of anyio that the patch was tested with.
MODULE: Final = "anyio._backends._asyncio"
TESTED: Final = ("4.16",)

#: anyio.CancelScope: an optional dependency, without types here.
Scope: TypeAlias = Any

#: id of a scope -> (the scope, its number); a scope has no attribute for it.
_numbers: dict[int, tuple[ref[Scope], int]] = {}


def _hash(scope: Scope) -> int:
    known = _numbers.get(id(scope))
    if known is not None and known[0]() is scope:
        return known[1]
    loop = simulated_loop()
    number = object.__hash__(scope) if loop is None else loop.serial()
    key = id(scope)
    _numbers[key] = (ref(scope, lambda gone: _forget(key, gone)), number)
    return number


def _forget(key: int, gone: ref[Scope]) -> None:
    known = _numbers.get(key)
    if known is not None and known[0] is gone:
        del _numbers[key]


def patch(module: ModuleType) -> None:
    """Apply the patch to anyio's module."""
    scope = getattr(module, "CancelScope", None)
    if scope is not None:
        scope.__hash__ = _hash  # the patch
