"""Teaching code: `selectors` of the simulated world.

Theory of operation.
1.  A selector reports a level, not a change: what is ready is reported again for as long as it is.  A connect that
    has failed makes its socket readable and writable too (connect(2)).
2.  A closed socket is forgotten by the system, not by the selector: its descriptor stays registered, and nothing is
    reported of it any more (epoll(7)).  The next socket that gets the number cannot be registered.
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
    """What was registered (`selectors.SelectorKey`)."""

    fd: int
    events: int
    data: Any  # as in the standard library


class SimSelector:
    """`selectors.DefaultSelector` of the simulated world.

    `block` as in SimSockets; `looked()` is told that somebody has looked without waiting, and in vain.
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

    def register(self, fileobj: int, events: int, data: Any = None) -> SimKey:  # Any: as SimKey
        """Raises KeyError when it is registered already, ValueError or OSError (EBADF) when it is not open."""
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
        """Raises KeyError when it is not registered, ValueError when it can be no descriptor."""
        if fileobj < 0:
            raise ValueError(f"Invalid file descriptor: {fileobj}")
        if fileobj not in self._keys:
            raise KeyError(f"{fileobj} is not registered")
        return self._keys.pop(fileobj)[0]

    def select(self, timeout: float | None = None) -> list[tuple[SimKey, int]]:
        """What is ready, in the order of registration; waits for the first, at most `timeout` seconds."""
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
