"""Digest: what happens in a run on a bridge, in order, as one SHA-256.

An observer (interfaces.py) that numbers things in order of their appearance.  No address,
no hash and no value of the program goes in, but the bytes that arrive on connections do: they are the same in equal
runs, TLS's too (asyncio/tls.py).  What a turn of a task is, each bridge says for itself.
"""

from __future__ import annotations

import hashlib

from ..interfaces import Observer, Runnable, Watched


class Digest(Observer):
    """Watches one kernel."""

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

    def timer(self, when: int, target: Runnable) -> None:
        self.add(f"timer {when}")

    def opened(self, conn: object, local: str, remote: str) -> None:
        self._conns[conn] = number = len(self._conns) + 1
        self.add(f"opened {number} {local} {remote}")

    def carried(self, conn: object, data: bytes) -> None:
        self.add(f"carried {self._conns[conn]} {len(data)} {hashlib.sha256(data).hexdigest()}")

    def closed(self, conn: object, how: str) -> None:
        self.add(f"closed {self._conns[conn]} {how}")

    def add(self, event: str) -> None:
        """This happens now."""
        assert self._clock is not None, "the digest was not given to a loop"
        self.events += 1
        self._sha.update(f"{self._clock.now} {event}\n".encode())
