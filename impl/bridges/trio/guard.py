"""The part of the guard (bridges/asyncio/guard.py) that is specific to trio programs.

1.  The errors name trio's functions, where those for asyncio programs name asyncio's: `advice`.
2.  The guard sees a thread when it starts.  trio keeps idle threads, which another run may have started.  So during a
    simulated run trio.to_thread.run_sync is replaced by a function that refuses in the threads of simulated runs, and
    trio finds no idle threads: anyio has imported that function by its name.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import trio

from ..simulation import OutsideSimulation, guest, importing_ends_at
from .order import replace_idle_threads

#: An argument or a result of a function that a thread would run.
Value: TypeAlias = Any

_THREAD: Final = "a call of the function"
_SOCKETS: Final = "trio's streams, or trio.socket.socket, which makes a simulated one"

#: The advice by the beginning of the audit event; the first that matches applies.
_INSTEAD: Final = {
    "socket.get": "the functions of the module socket",
    "socket.": _SOCKETS,
    "_thread.": _THREAD,
    "signal.": "trio.move_on_after or trio.fail_after",
    "asyncio.": "trio's functions",
    "": "an async function of this program",
}
importing_ends_at(trio.run.__code__)


def advice(event: str) -> str:
    """The thing to use instead of the function that raises this audit event."""
    return next(text for begin, text in _INSTEAD.items() if event.startswith(begin))


_to_thread: Callable[..., Value] = trio.to_thread.run_sync


async def _run_sync(sync_fn: Callable[..., Value], *args: Value, **options: Value) -> Value:
    if guest() is not None:
        if getattr(sync_fn, "func", None) is subprocess.Popen:  # trio starts processes in threads
            raise OutsideSimulation("a subprocess", advice("subprocess.Popen"))
        raise OutsideSimulation("a thread", _THREAD)
    return await _to_thread(sync_fn, *args, **options)


class _Threads:
    """Counts the simulated runs of all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs = 0
        #: The idle threads of trio during simulated runs, and none at other times.
        self._idle: Value = {}

    def add(self, number: int) -> None:
        with self._lock:
            begins = not self._runs
            self._runs += number
            place: Value = trio.to_thread
            place.run_sync = _run_sync if self._runs else _to_thread
            if begins or not self._runs:
                self._idle = replace_idle_threads(self._idle)


_threads = _Threads()


@contextmanager
def no_threads() -> Iterator[None]:
    """Refuse trio.to_thread.run_sync in the threads of simulated runs while the body runs."""
    _threads.add(1)
    try:
        yield
    finally:
        _threads.add(-1)
