"""add_reader and add_writer, for sockets of the simulation.

Theory of operation.  As with a selector, a callback is called once in each turn as long as its socket is ready (a
level, not an edge): who reads a part is called again.  A watcher of the network says when it is worth looking; whether
the socket is ready is asked of it just before each call, so that no call finds nothing.

A writer that is left where it always has room keeps the loop busy at one instant, for ever: virtual time stands still
while somebody is ready.  That is a livelock, and told as one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVarTuple, cast

from ...net.conn import READ, WRITE
from ..simulation import OutsideSimulation
from .base import SimLoopBase
from .handles import Handle
from .sockets import SimSocket, is_simulated, simulated

# Any in this file: descriptors, or what has one; arguments of callbacks.

Ts = TypeVarTuple("Ts")


class _Watch:
    """A reader or a writer."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        sock: SimSocket,
        what: int,
        callback: Callable[..., Any],
        args: Any,
    ) -> None:
        self._loop = loop
        self._end = end = sock.end()
        self._what = what
        self._callback = callback
        self._args = args
        self._next: Handle | None = None
        self._over = False
        end.watch(self._hint)
        self._hint(what)

    def _hint(self, what: int) -> None:
        if self._next is None and what & self._what & self._end.ready():
            self._next = cast(Handle, self._loop.call_soon(self._fire))

    def _fire(self) -> None:
        self._next = None
        if self._over or not self._end.ready() & self._what:
            return
        try:
            self._callback(*self._args)
        finally:
            if not self._over:
                self._hint(self._what)

    def cancel(self) -> None:
        self._over = True
        self._end.unwatch(self._hint)


class Readiness(SimLoopBase):
    """A mixin of SimEventLoop: readers and writers.

    Needs: no method of another part.  Gives: `add_reader`, `remove_reader`, `add_writer`, `remove_writer`.
    """

    def __init__(self) -> None:
        """Set the mixin's own state; SimEventLoop calls this after SimLoopBase's."""
        #: Readers and writers, by (number of the socket, READ or WRITE).
        self.watching: dict[tuple[int, int], _Watch] = {}

    def add_reader(self, fd: Any, callback: Callable[[*Ts], Any], *args: *Ts) -> None:
        """Only for sockets of the simulation, or their numbers."""
        self._add(fd, READ, callback, args)

    def add_writer(self, fd: Any, callback: Callable[[*Ts], Any], *args: *Ts) -> None:
        """As add_reader."""
        self._add(fd, WRITE, callback, args)

    def remove_reader(self, fd: Any) -> bool:
        return self._remove(fd, READ)

    def remove_writer(self, fd: Any) -> bool:
        return self._remove(fd, WRITE)

    def _add(self, fd: Any, what: int, callback: Callable[..., Any], args: Any) -> None:
        sock = self._socket(fd)
        self._remove(sock, what)
        self.watching[sock.fileno(), what] = _Watch(self, sock, what, callback, args)

    def _remove(self, fd: Any, what: int) -> bool:
        watch = self.watching.pop((fd if isinstance(fd, int) else fd.fileno(), what), None)
        if watch is not None:
            watch.cancel()
        return watch is not None

    def _socket(self, fd: Any) -> SimSocket:
        if isinstance(fd, int):
            found = self.descriptors.get(fd)
            if found is None:
                raise OutsideSimulation(f"the descriptor {fd}", "a socket that was made while the loop runs")
            return cast(SimSocket, found)
        return simulated(fd) if is_simulated(fd) else self._socket(fd.fileno())
