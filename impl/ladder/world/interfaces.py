"""Teaching code: the environment of a rung: sockets, selectors, threads and a clock, real or simulated.

A rung is a function of a `World` and uses the names of the standard library on it: `world.socket.socket()`,
`world.selectors.DefaultSelector()`, `world.threading.Thread(...)`, `world.queue.SimpleQueue()`.  In `simulated.py` time
is virtual, and a blocking call moves the clock; `real.py` is the standard library with counters.  A rung has no delays
of its own, so two rungs differ in their way of waiting only.

Any, throughout: the standard library's types for data and arguments that it passes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


class SocketNames(Protocol):
    """The functions of the module `socket` that a rung calls."""

    def socket(self) -> Socket:
        """A new TCP socket, blocking.

        Its connect takes host names.  For an unknown one it raises socket.gaierror at once, even if the socket is
        non-blocking, because SO_ERROR has no number for it.
        """

    def socketpair(self) -> tuple[Socket, Socket]:
        """Two sockets that are connected to each other, by which one thread wakes the selector of another."""


class SelectorKey(Protocol):
    """The fields of `selectors.SelectorKey` that a rung reads."""

    @property
    def fd(self) -> int: ...
    @property
    def data(self) -> Any: ...


class Selector(Protocol):
    """The methods of `selectors.DefaultSelector` that a rung calls."""

    def register(self, fileobj: int, events: int, data: Any = None) -> object: ...
    def unregister(self, fileobj: int) -> object: ...
    def select(self, timeout: float | None = None) -> Sequence[tuple[SelectorKey, int]]:
        """Wait until a registered socket is ready, at most `timeout` seconds (None: for ever)."""

    def close(self) -> None: ...


class SelectorNames(Protocol):
    """The function of the module `selectors` that a rung calls; EVENT_READ is 1, EVENT_WRITE is 2."""

    def DefaultSelector(self) -> Selector: ...  # noqa: N802  # the standard library's name


class Thread(Protocol):
    """The methods of `threading.Thread` that a rung calls."""

    def start(self) -> None: ...
    def join(self) -> None: ...


class Lock(Protocol):
    """The methods of `threading.Lock` that a rung calls."""

    def acquire(self) -> bool: ...
    def release(self) -> None: ...
    def __enter__(self) -> bool: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


class ThreadNames(Protocol):
    """The classes of the module `threading` that a rung uses."""

    def Thread(self, *, target: Callable[..., object], args: tuple[Any, ...] = ()) -> Thread: ...  # noqa: N802
    def Lock(self) -> Lock: ...  # noqa: N802


class BlockingQueue(Protocol):
    """The methods of `queue.SimpleQueue` that a rung calls; threads share it."""

    def put(self, item: Any) -> None: ...
    def get(self) -> Any:
        """Remove and return the oldest item; blocks the thread while there is none."""


class QueueNames(Protocol):
    """The class of the module `queue` that a rung uses."""

    def SimpleQueue(self) -> BlockingQueue: ...  # noqa: N802


@dataclass
class Meter:
    """The resources that a run has used so far.

    `concurrency`: the most connections that were open or connecting at once.  `threads`: the most threads that were
    alive at once beside the main one; `processes` likewise.  `vain`: the calls of connect, send and recv that found
    nothing ready.
    """

    concurrency: int = 0
    threads: int = 0
    processes: int = 0
    vain: int = 0


class Place(Protocol):
    """An environment in which a rung is measured: a `World`, or the one of asyncio's rung."""

    meter: Meter

    def time(self) -> float: ...
    def close(self) -> None: ...


class World(Protocol):
    """The environment of a rung."""

    meter: Meter

    @property
    def socket(self) -> SocketNames: ...
    @property
    def selectors(self) -> SelectorNames: ...
    @property
    def threading(self) -> ThreadNames: ...
    @property
    def queue(self) -> QueueNames: ...

    def time(self) -> float:
        """Seconds since the environment was created."""

    def switch(self) -> None:
        """A point at which the operating system may switch to another thread."""
