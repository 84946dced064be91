"""Teaching code: the environment of a rung: sockets, selectors, threads and a clock, real or simulated.

A rung is a function of a `World` and calls the standard library's names on it: `world.socket()`,
`world.DefaultSelector()`, `world.Thread(...)`, `world.SimpleQueue()`.  In `simulated.py` time is virtual, and a
blocking call moves the clock; `real.py` is the standard library with counters.  A rung has no delays of its own, so two
rungs differ in their way of waiting only.

Any, throughout: the standard library's types for data and arguments that it passes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from selectors import BaseSelector
from types import TracebackType
from typing import Any, Final, Protocol

#: How many connections may wait to be accepted by a server of the site.
BACKLOG: Final = 1000

Address = tuple[str, int]


class Socket(Protocol):
    """The methods of `socket.socket` that a rung calls."""

    def setblocking(self, flag: bool, /) -> None: ...
    def settimeout(self, value: float | None, /) -> None: ...
    def connect(self, address: Address, /) -> None: ...
    def send(self, data: bytes, /) -> int: ...
    def recv(self, bufsize: int, /) -> bytes: ...
    def getsockopt(self, level: int, optname: int, /) -> int: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...
    def __enter__(self) -> Socket: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class BlockingQueue(Protocol):
    """The methods of `queue.SimpleQueue` that a rung calls; threads share it."""

    def put(self, item: Any) -> None: ...
    def get(self) -> Any:
        """Remove and return the oldest item; blocks the thread while there is none."""


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


class Place(Protocol):
    """An environment in which a rung is measured: a `World`, or the one of asyncio's rung."""

    meter: Meter

    def time(self) -> float:
        """Seconds since the environment was created."""

    def close(self) -> None:
        """End the servers and threads."""


class World(Place, Protocol):
    """The environment of a rung."""

    def socket(self) -> Socket:
        """A new TCP socket, blocking.

        Its connect takes host names.  For an unknown one it raises socket.gaierror at once, even if the socket is
        non-blocking, because SO_ERROR has no number for it.
        """

    def socketpair(self) -> tuple[Socket, Socket]:
        """Two sockets that are connected to each other, by which one thread wakes the selector of another."""

    def DefaultSelector(self) -> BaseSelector: ...  # noqa: N802  # here and below: the standard library's names
    def Thread(  # noqa: N802
        self, *, target: Callable[..., object], args: tuple[Any, ...] = ()
    ) -> threading.Thread: ...
    def Lock(self) -> AbstractContextManager[bool]: ...  # noqa: N802
    def SimpleQueue(self) -> BlockingQueue: ...  # noqa: N802

    def switch(self) -> None:
        """A point at which the operating system may switch to another thread."""
