"""Futures with the freedoms of an implementation."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

import impl

from .drawn import drawn

T = TypeVar("T")


class Future(impl.Future[T]):
    """A future that may take a turn at an await although it is done, against FUT-4, which is settled."""

    __slots__ = ()

    def __await__(self) -> Generator[Any, None, T]:
        if self.done() and drawn():
            yield None  # gives up the turn
        return (yield from super().__await__())

    __iter__ = __await__
