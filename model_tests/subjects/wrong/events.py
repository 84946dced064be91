"""Wrong events: which waiters set() wakes, and how often they look at the flag."""

from __future__ import annotations

from typing import Any, Literal

from ._parts import Event


class AnswersNone(Event):
    """An event whose wait() returns None when it had to wait.

    Breaks asyncio-sync, Event.wait(): "If the event is set, return True immediately.  Otherwise block until another
    task calls set()" (and then return True, says its docstring).
    """

    async def wait(self) -> Any:
        return await super().wait() if self._value else await self._silently()

    async def _silently(self) -> None:
        await super().wait()


class ForgetsThatItIsSet(Event):
    """An event that is cleared by the first waiter that it wakes.

    Breaks asyncio-sync, Event: "An Event object manages an internal flag that can be set to true with the set() method
    and reset to false with the clear() method."
    """

    async def wait(self) -> Literal[True]:
        await super().wait()
        self._value = False
        return True
