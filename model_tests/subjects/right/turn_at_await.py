"""A Future whose `await` gives up one turn of the loop even when the future is done.

What differs: to await a future of CPython that is done takes no turn.

What leaves that free: "Future is an awaitable object.  Coroutines can await on Future objects until they either have a
result or an exception set, or until they are cancelled" (asyncio.Future): in which iteration the coroutine continues
then, is not said.  A cancel at that turn loses nothing: the future keeps its result.
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
