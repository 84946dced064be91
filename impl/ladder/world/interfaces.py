"""Teaching code: what every rung is given, sockets, selectors, threads and a clock, real or simulated.

Theory of operation.  A rung is a function of a `World`, and uses the names of the standard library on it:
`world.socket.socket()`, `world.selectors.DefaultSelector()`, `world.threading.Thread(...)`, `world.queue.Queue()`.
`simulated.py` is a world in virtual time, in which a blocking call moves the clock; `real.py` is the standard
library's, which counts.  A rung has no delays of its own, so what differs between two rungs is their way of waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Protocol

#: So many connections may wait to be accepted by a server of the site.
BACKLOG: Final = 1000

Address = tuple[str, int]


class Socket(Protocol):
    """What a rung calls of `socket.socket`."""

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
    """What a rung calls of the module `socket`."""

    def socket(self) -> Socket:
        """A new TCP socket, blocking.

        Its connect takes names.  One that does not exist is a socket.gaierror there and then, in a non-blocking
        connect too: SO_ERROR has no word for it.
        """

    def socketpair(self) -> tuple[Socket, Socket]:
        """Two sockets that are connected to each other: what a thread wakes another one's selector with."""


class SelectorKey(Protocol):
    """What a rung reads of `selectors.SelectorKey`."""

    @property
    def fd(self) -> int: ...
    @property
    def data(self) -> Any: ...  # Any: as in the standard library, whatever was registered


class Selector(Protocol):
    """What a rung calls of `selectors.DefaultSelector`."""

    # Any: as in SelectorKey.
    def register(self, fileobj: int, events: int, data: Any = None) -> object: ...
    def unregister(self, fileobj: int) -> object: ...
    def select(self, timeout: float | None = None) -> Sequence[tuple[SelectorKey, int]]:
        """Wait until a registered socket is ready, at most `timeout` seconds (None: for ever)."""

    def close(self) -> None: ...


class SelectorNames(Protocol):
    """What a rung calls of the module `selectors`; EVENT_READ is 1, EVENT_WRITE is 2."""

    def DefaultSelector(self) -> Selector: ...  # noqa: N802  # the standard library's name


class Thread(Protocol):
    """What a rung calls of `threading.Thread`."""

    def start(self) -> None: ...
    def join(self) -> None: ...


class Lock(Protocol):
    """What a rung calls of `threading.Lock`."""

    def acquire(self) -> bool: ...
    def release(self) -> None: ...
    def __enter__(self) -> bool: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


class ThreadNames(Protocol):
    """What a rung calls of the module `threading`."""

    def Thread(self, *, target: Callable[..., object], args: tuple[Any, ...] = ()) -> Thread: ...  # noqa: N802
    def Lock(self) -> Lock: ...  # noqa: N802


class BlockingQueue(Protocol):
    """What a rung calls of `queue.SimpleQueue`: the queue that threads share."""

    def put(self, item: Any) -> None: ...  # Any: whatever the rung puts
    def get(self) -> Any:  # Any: as put
        """The oldest item; blocks the thread while there is none."""


class QueueNames(Protocol):
    """What a rung calls of the module `queue`."""

    def SimpleQueue(self) -> BlockingQueue: ...  # noqa: N802


@dataclass
class Meter:
    """What a run has used so far.

    `concurrency`: the most connections that were open, or being made, at once.  `threads`: the most threads that were
    alive at once beside the main one; `processes` likewise.  `vain`: the calls of connect, send and recv that found
    nothing ready.
    """

    concurrency: int = 0
    threads: int = 0
    processes: int = 0
    vain: int = 0


class Place(Protocol):
    """Where a rung is measured: a `World`, or the one rung's that has its own; `close` it at the end."""

    meter: Meter

    def time(self) -> float: ...
    def close(self) -> None: ...


class World(Protocol):
    """Everything outside of a rung."""

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
        """Seconds since the world was made."""

    def switch(self) -> None:
        """A moment at which the operating system may switch to another thread."""
