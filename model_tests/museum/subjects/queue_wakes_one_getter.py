"""QUEUE-5: a put wakes nobody while an earlier wake-up is on its way."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    def _wakeup_next(self: Any, waiters: Any) -> None:
        if not any(waiter.done() for waiter in waiters) and waiters:
            waiters[0].set_result(None)

    async def get(self: Any) -> Any:
        while self.empty():
            getter = asyncio.get_running_loop().create_future()
            self._getters.append(getter)
            try:
                await getter
            finally:
                self._getters.remove(getter)
        return self.get_nowait()
