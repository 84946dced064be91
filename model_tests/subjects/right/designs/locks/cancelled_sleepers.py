"""An event: each waiter watches a task that sleeps forever, and set() cancels these sleepers.

The documentation says "Set the event. All tasks waiting for event to be set will be immediately awakened.", not how.
"""

from __future__ import annotations

import asyncio


async def sleep_for_ever() -> None:
    await asyncio.get_running_loop().create_future()


class Event:
    def __init__(self) -> None:
        self._value = False
        self._sleepers: list[asyncio.Task[None]] = []

    def is_set(self) -> bool:
        return self._value

    def set(self) -> None:
        self._value = True
        for sleeper in self._sleepers:
            sleeper.cancel()

    def clear(self) -> None:
        self._value = False

    async def wait(self) -> bool:
        if not self._value:
            sleeper = asyncio.create_task(sleep_for_ever())
            self._sleepers.append(sleeper)
            try:
                await asyncio.wait([sleeper])
            finally:
                self._sleepers.remove(sleeper)
                sleeper.cancel()
        return True
