"""Equal runs are equal in processes with other hashes, addresses and moments of garbage collection.

Each file of programs has a registry of them, `program`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

#: Any: each program has its own type of result.  It contains no address.
Program: TypeAlias = Callable[[], Coroutine[Any, Any, Any]]


class Programs(dict[str, Program]):
    """Programs by name: a decorator that keeps each under its own."""

    def __call__(self, program: Program) -> Program:
        assert program.__name__ not in self, "two programs have one name"
        self[program.__name__] = program
        return program
