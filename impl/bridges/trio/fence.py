"""What the fence (bridges/fence.py) says to a trio program that would leave the simulation, and the two gaps it has.

Theory of operation.
1.  Where an asyncio program is told of asyncio's means, a trio program is told of trio's: `advice`.
2.  trio looks a name up in two steps: as a number, by the module socket, which asks nobody; then by our resolver.  The
    first one passes the fence.
3.  A thread is seen when it starts.  trio keeps idle ones, which another run may have started; so while a simulated run
    lasts, trio.to_thread.run_sync is replaced by what refuses, in the threads in which such a run runs.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

import trio

from ..fence import importing_ends_at
from ..simulation import OutsideSimulation, guest

# Any in this file: arguments and results of the functions that threads would run.

_THREAD: Final = "a call of the function"
_SOCKETS: Final = "trio's streams, or trio.socket.socket, which makes a simulated one"

#: What to use instead, by the beginning of the audit event; the first that fits.
_INSTEAD: Final = {
    "socket.getaddrinfo": "await trio.socket.getaddrinfo(...), which asks the simulated network",
    "socket.gethostby": "await trio.socket.getaddrinfo(...), which asks the simulated network",
    "socket.getnameinfo": "await trio.socket.getnameinfo(...)",
    "socket.": _SOCKETS,
    "_thread.": _THREAD,
    "": "an async function of this program",
}
#: How far up trio's own call stands: the fence, its hook, the module socket, and one to spare.
_CALLS: Final = 5

importing_ends_at(trio.run.__code__)


def advice(event: str) -> str | None:
    """What to use instead of what an audit event tells of; None: it may pass."""
    if event == "socket.getaddrinfo":
        frame: FrameType | None = sys._getframe(1)
        for _ in range(_CALLS):
            if frame is None:
                break
            if frame.f_code is trio.socket.getaddrinfo.__code__:
                return None
            frame = frame.f_back
    return next(text for begin, text in _INSTEAD.items() if event.startswith(begin))


_to_thread: Callable[..., Any] = trio.to_thread.run_sync


async def _run_sync(sync_fn: Callable[..., Any], *args: Any, **options: Any) -> Any:
    if guest() is not None:
        raise OutsideSimulation("a thread", _THREAD)
    return await _to_thread(sync_fn, *args, **options)


class _Threads:
    """How many simulated runs there are."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs = 0

    def add(self, number: int) -> None:
        with self._lock:
            self._runs += number
            place: Any = trio.to_thread
            place.run_sync = _run_sync if self._runs else _to_thread


_threads = _Threads()


@contextmanager
def no_threads() -> Iterator[None]:
    """While it lasts, trio.to_thread.run_sync is refused in the threads in which a guest of the fence runs."""
    _threads.add(1)
    try:
        yield
    finally:
        _threads.add(-1)
