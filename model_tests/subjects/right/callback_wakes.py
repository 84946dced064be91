"""A Lock, a Semaphore and an Event with callbacks as wake-ups: a waiter is resolved one turn after the release.

Difference: CPython resolves the waiter's future within `release` and `set`; here `call_soon` does it, so the waiter
runs one turn later, and a cancel may arrive in between.

Freedom: "Can wake up a task waiting to acquire the semaphore" (Semaphore.release), "reset it to unlocked
and return" (Lock.release): the iteration of the loop that runs a waiter is nowhere said.  "Immediately awakened"
(Event.set) cannot mean that it runs within the call, as it does not in CPython either.
"""

from __future__ import annotations

import asyncio

from . import broadcast, hand_over


class Soon(hand_over.Permits):
    def _hand(self, waiter: asyncio.Future[None]) -> None:
        asyncio.get_running_loop().call_soon(self._arrive, waiter)

    def _arrive(self, waiter: asyncio.Future[None]) -> None:
        if waiter.done():  # cancelled meanwhile
            self._give_back()
        else:
            super()._hand(waiter)


class Lock(Soon, hand_over.Lock):
    pass


class Semaphore(Soon, hand_over.Semaphore):
    pass


class Event(broadcast.Event):
    def set(self) -> None:
        self._set = True
        futures, self._futures = self._futures, []
        for future in futures:
            future.get_loop().call_soon(broadcast.resolve, future)
