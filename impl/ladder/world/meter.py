"""Teaching code: the resources that a run uses, and the base of all environments."""

from __future__ import annotations

import threading
from typing import Final

#: How many connections may wait to be accepted by a server of the site.
BACKLOG: Final = 1000


class Meter:
    """The resources that a run has used so far.

    `concurrency`: the most connections that were open or connecting at once, which `open` are now.  `threads`: the most
    threads that were alive at once beside the main one, as `alive` are now; `processes`: the most processes.  `vain`:
    the calls of connect, send and recv that found nothing ready.
    """

    def __init__(self) -> None:
        self.concurrency = self.threads = self.processes = self.vain = self.open = self.alive = 0
        self._lock = threading.Lock()

    def connections(self, change: int) -> None:
        """Count one more connection, or one less."""
        with self._lock:
            self.open += change
            self.concurrency = max(self.concurrency, self.open)

    def running(self, change: int) -> None:
        """Count one more thread, or one less."""
        with self._lock:
            self.alive += change
            self.threads = max(self.threads, self.alive)

    def in_vain(self) -> None:
        """Count a call that found nothing ready."""
        with self._lock:
            self.vain += 1


class MeteredWorld:
    """An environment that measures a rung: a `World`, or the one of asyncio's rung."""

    def __init__(self) -> None:
        self.meter = Meter()

    def time(self) -> float:
        """Seconds since the environment was created."""
        raise NotImplementedError

    def close(self) -> None:
        """End the servers and threads, if there are any."""
