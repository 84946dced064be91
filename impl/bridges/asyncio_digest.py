"""Digest: what happens in a run of a simulated asyncio loop, in order, as one SHA-256.

Theory of operation.  An observer (observer.py) that names things by number, in order of their appearance: tasks by the
number that their loop gave them, connections as they open; callbacks by what is called.  No address, no hash and no
value of the program goes in, but the bytes that arrive on connections do: they are the same in equal runs, TLS's too
(asyncio_tls.py).
"""

from __future__ import annotations

import hashlib

from ..faces import Runnable, Watched
from ..observer import Observer
from .asyncio_handles import Called, Turn
from .asyncio_tasks import number_of


class Digest(Observer):
    """Watches one loop: `SimEventLoop(observer=Digest())`."""

    __slots__ = ("_clock", "_conns", "_sha", "events")

    def __init__(self) -> None:
        self.events = 0
        self._sha = hashlib.sha256()
        self._clock: Watched | None = None
        self._conns: dict[object, int] = {}

    def hexdigest(self) -> str:
        return self._sha.hexdigest()

    def bind(self, clock: Watched) -> None:
        self._clock = clock

    def taken(self, item: Runnable) -> None:
        if isinstance(item, Turn):
            self._add(f"turn {number_of(item.task)}")
        elif isinstance(item, Called):
            self._add(f"call {item.name()}")

    def timer(self, when: int, target: Runnable) -> None:
        self._add(f"timer {when}")

    def opened(self, conn: object, local: str, remote: str) -> None:
        self._conns[conn] = number = len(self._conns) + 1
        self._add(f"opened {number} {local} {remote}")

    def carried(self, conn: object, data: bytes) -> None:
        self._add(f"carried {self._conns[conn]} {len(data)} {hashlib.sha256(data).hexdigest()}")

    def closed(self, conn: object, how: str) -> None:
        self._add(f"closed {self._conns[conn]} {how}")

    def _add(self, event: str) -> None:
        assert self._clock is not None, "the digest was not given to a loop"
        self.events += 1
        self._sha.update(f"{self._clock.now} {event}\n".encode())
