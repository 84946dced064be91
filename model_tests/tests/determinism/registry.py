"""Programs by name, as the files of this folder define them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

#: Any: each program has its own type of result.  It contains no address.
Program: TypeAlias = Callable[[], Coroutine[Any, Any, Any]]


class Programs(dict[str, Program]):
    """A decorator that keeps each program under its name."""

    def __call__(self, program: Program) -> Program:
        assert program.__name__ not in self, "two programs have one name"
        self[program.__name__] = program
        return program
