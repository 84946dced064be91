"""add_reader and add_writer, for sockets of the simulation.

As with a selector, a callback is called once in each iteration while its socket is ready (a level, not an edge).  A
watcher of the network schedules the callback; just before the call the socket is tested again, so a call never finds it
not ready.

A writer on a socket that always has room keeps the loop busy: virtual time does not advance while callbacks are ready.
That is a livelock, and reported as one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVarTuple, cast

from ...net.conn import READ, WRITE
from ..simulated_loop import SimLoopBase
from ..simulation import OutsideSimulation
from .handles import Handle
from .sockets import SimSocket, is_simulated, simulated

#: A descriptor or an object that has one; an argument or a result of a callback.
Given: TypeAlias = Any

Ts = TypeVarTuple("Ts")


class _Watch:
    """A reader or a writer."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        sock: SimSocket,
        what: int,
        callback: Callable[..., Given],
        args: Given,
    ) -> None:
        self._loop = loop
        self._sock = sock
        self._what = what
        self._callback = callback
        self._args = args
        self._next: Handle | None = None
        self._over = False
        sock.watch(self._hint)
        self._hint(what)

    def _hint(self, what: int) -> None:
        if self._next is None and what & self._what & self._sock.ready():
            self._next = cast(Handle, self._loop.call_soon(self._fire))

    def _fire(self) -> None:
        self._next = None
        if self._over or not self._sock.ready() & self._what:
            return
        try:
            self._callback(*self._args)
        finally:
            if not self._over:
                self._hint(self._what)

    def cancel(self) -> None:
        self._over = True
        self._sock.unwatch(self._hint)


class Readiness(SimLoopBase):
    """A mixin of SimEventLoop: readers and writers.

    Needs: no method of another part.  Gives: `add_reader`, `remove_reader`, `add_writer`, `remove_writer`.
    """

    def __init__(self) -> None:
        """Set the mixin's own state; SimEventLoop calls this after SimLoopBase's."""
        #: Readers and writers, by (number of the socket, READ or WRITE).
        self.watching: dict[tuple[int, int], _Watch] = {}

    def add_reader(self, fd: Given, callback: Callable[[*Ts], Given], *args: *Ts) -> None:
        """`fd`: a socket of the simulation, or its number."""
        self._add(fd, READ, callback, args)

    def add_writer(self, fd: Given, callback: Callable[[*Ts], Given], *args: *Ts) -> None:
        """As add_reader."""
        self._add(fd, WRITE, callback, args)

    def remove_reader(self, fd: Given) -> bool:
        return self._remove(fd, READ)

    def remove_writer(self, fd: Given) -> bool:
        return self._remove(fd, WRITE)

    def _add(self, fd: Given, what: int, callback: Callable[..., Given], args: Given) -> None:
        sock = self._socket(fd)
        self._remove(sock, what)
        self.watching[sock.fileno(), what] = _Watch(self, sock, what, callback, args)

    def _remove(self, fd: Given, what: int) -> bool:
        watch = self.watching.pop((fd if isinstance(fd, int) else fd.fileno(), what), None)
        if watch is not None:
            watch.cancel()
        return watch is not None

    def _socket(self, fd: Given) -> SimSocket:
        if isinstance(fd, int):
            found = self.descriptors.get(fd)
            if found is None:
                raise OutsideSimulation(f"the descriptor {fd}", "a socket that was made while the loop runs")
            return cast(SimSocket, found)
        return simulated(fd) if is_simulated(fd) else self._socket(fd.fileno())
