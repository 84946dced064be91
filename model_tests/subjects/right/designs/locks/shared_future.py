"""An event: all waiters shield one future, which set() ends and forgets.

The documentation says that set wakes all waiters and leaves free how they wait.
"""

from __future__ import annotations

import asyncio
from typing import Literal


class Event:
    def __init__(self) -> None:
        self._set = False
        self._future: asyncio.Future[None] | None = None

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True
        future, self._future = self._future, None
        if future is not None:
            future.set_result(None)

    def clear(self) -> None:
        self._set = False

    async def wait(self) -> Literal[True]:
        if not self._set:
            if self._future is None:
                self._future = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._future)
        return True
