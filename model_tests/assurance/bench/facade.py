"""The facade: the operations that a workload needs of a runtime, so that one program text runs on every runtime.

The names are asyncio's, and where a runtime has asyncio's shape the facade holds its own bound methods: no adapter
adds to the measured time. trio has another shape (a nursery, events, channels, cancel scopes).  There the facade is
the thinnest adapter that we know, and its cost is part of trio's figure.
"""

from collections.abc import Awaitable, Callable, Coroutine, Generator
from dataclasses import dataclass
from typing import Any, Protocol

# `Any` in this file: the values that a coroutine yields to its runtime, and the items of a queue.

#: A coroutine that a workload spawns.
Work = Coroutine[Any, Any, None]


class Once(Protocol):
    """A future that is resolved once and awaited by one task."""

    def set_result(self, result: None, /) -> None: ...

    def __await__(self) -> Generator[Any, Any, object]: ...


class Line(Protocol):
    """A bounded queue."""

    def put(self, item: int, /) -> Awaitable[None]: ...

    def get(self) -> Awaitable[int]: ...


class Cancellable(Protocol):
    """A running task, or the scope around it."""

    def cancel(self) -> object: ...


class Bytes(Protocol):
    """One end of a connection in memory."""

    def send_all(self, data: bytes, /) -> Awaitable[None]: ...

    def receive_some(self, n: int, /) -> Awaitable[bytes | bytearray]: ...

    def aclose(self) -> Awaitable[None]: ...


@dataclass(frozen=True, slots=True)
class Api:
    """The interface that a workload uses.

    `spawn` starts a coroutine that runs to its end; `cancellable` one that may be cancelled.  `queue` takes the
    maximal number of items; `pair` returns the two ends of a new connection in memory.
    """

    future: Callable[[], Once]
    queue: Callable[[int], Line]
    sleep: Callable[[float], Awaitable[object]]
    spawn: Callable[[Work], object]
    cancellable: Callable[[Work], Cancellable]
    pair: Callable[[], Awaitable[tuple[Bytes, Bytes]]]


#: A workload's program, with its size bound; it returns how many operations it did.
Main = Callable[[Api], Coroutine[Any, Any, int]]


@dataclass(frozen=True, slots=True)
class Peer:
    """A runtime under measurement.

    `fresh` makes a loop, runs a program on it until complete, and closes it; `run` is the runtime's own `run`
    function (asyncio.run and its like), which also cancels what is left over.
    """

    name: str
    fresh: Callable[[Main], int]
    run: Callable[[Main], int]
