"""An event on a future of concurrent.futures: each waiter wraps it, and wakes by call_soon_threadsafe.

The documentation says that set() wakes all waiters and wait() returns True, and leaves the kind of
future free.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from typing import Literal

Gate = concurrent.futures.Future[Literal[True]]


def _closed_gate() -> Gate:
    gate: Gate = concurrent.futures.Future()
    gate.set_running_or_notify_cancel()  # from now on a cancelled waiter cannot cancel the gate
    return gate


class Event:
    def __init__(self) -> None:
        self._gate = _closed_gate()

    def is_set(self) -> bool:
        return self._gate.done()

    def set(self) -> None:
        if not self._gate.done():
            self._gate.set_result(True)

    def clear(self) -> None:
        if self._gate.done():
            self._gate = _closed_gate()

    async def wait(self) -> Literal[True]:
        if self._gate.done():
            return True
        return await asyncio.wrap_future(self._gate)
