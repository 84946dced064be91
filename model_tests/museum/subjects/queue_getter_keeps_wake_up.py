"""QUEUE-18: a getter that is cancelled after its wake-up does not pass it on."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    async def get(self: Any) -> Any:
        while self.empty():
            getter = self._loop_of().create_future()
            self._getters.append(getter)
            try:
                await getter
            except BaseException:
                if getter in self._getters:
                    self._getters.remove(getter)
                raise
        return self.get_nowait()

    @staticmethod
    def _loop_of() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()
