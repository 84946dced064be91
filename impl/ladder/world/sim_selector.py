"""Teaching code: `selectors` of the simulated environment.

1.  A selector reports a level, not a change: a socket is reported for as long as it is ready.  A failed connect makes
    its socket readable and writable (connect(2)).
2.  The system forgets a closed socket, the selector does not: its descriptor stays registered, and nothing is reported
    of it (epoll(7)).  The next socket with that number cannot be registered.

Any, throughout: the data that a program registers.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...net import READ, WRITE
from ...net.conn import os_error
from .sim_socket import SimSocket, SimSockets


@dataclass(frozen=True)
class SimKey:
    """A registration (`selectors.SelectorKey`)."""

    fd: int
    events: int
    data: Any


class SimSelector:
    """`selectors.DefaultSelector` of the simulated environment.

    `block` as in SimSockets; `looked()` is called after a `select` with a time-out of 0 that found nothing.
    """

    def __init__(
        self,
        sockets: SimSockets,
        block: Callable[[float | None, Callable[[], bool]], None],
        looked: Callable[[], None],
    ) -> None:
        self._sockets = sockets
        self._block = block
        self._looked = looked
        self._keys: dict[int, tuple[SimKey, SimSocket]] = {}

    def register(self, fileobj: int, events: int, data: Any = None) -> SimKey:
        """Register a descriptor; raises KeyError if it is registered, ValueError or OSError if it is not open."""
        if not events or events & ~(READ | WRITE):
            raise ValueError(f"Invalid events: {events!r}")
        if fileobj < 0:
            raise ValueError(f"Invalid file descriptor: {fileobj}")
        if fileobj in self._keys:
            raise KeyError(f"{fileobj} (FD {fileobj}) is already registered")
        if fileobj not in self._sockets.by_fd:
            raise os_error(errno.EBADF)
        key = SimKey(fileobj, events, data)
        self._keys[fileobj] = key, self._sockets.by_fd[fileobj]
        return key

    def unregister(self, fileobj: int) -> SimKey:
        """Remove a descriptor; raises KeyError if it is not registered, ValueError if it is negative."""
        if fileobj < 0:
            raise ValueError(f"Invalid file descriptor: {fileobj}")
        if fileobj not in self._keys:
            raise KeyError(f"{fileobj} is not registered")
        return self._keys.pop(fileobj)[0]

    def select(self, timeout: float | None = None) -> list[tuple[SimKey, int]]:
        """The keys that are ready, in order of registration; waits at most `timeout` seconds for one."""
        if timeout is None or timeout > 0:
            self._block(timeout, lambda: bool(self._ready()))
        elif not self._ready():
            self._looked()
        return self._ready()

    def close(self) -> None:
        self._keys.clear()

    def _ready(self) -> list[tuple[SimKey, int]]:
        found = []
        for key, sock in self._keys.values():
            if sock.fileno() == key.fd and (mask := sock.ready() & key.events):
                found.append((key, mask))
        return found
