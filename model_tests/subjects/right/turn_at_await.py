"""A Future that gives up one turn of the loop at `await` even when it is done.

Difference: to await a future of CPython that is done takes no turn.

Freedom: "Future is an awaitable object.  Coroutines can await on Future objects until they either have a
result or an exception set, or until they are cancelled" (asyncio.Future): the iteration where the coroutine continues
is not said.  A cancel at that turn loses nothing: the future keeps its result.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from .own_future import PyFuture


class Future(PyFuture):  # type: ignore[misc]  # Any: typeshed does not know asyncio's future in Python
    def __await__(self) -> Generator[Any, None, Any]:
        if self.done():
            yield  # a bare yield gives up one turn
            return self.result()
        return (yield from super().__await__())

    __iter__ = __await__
