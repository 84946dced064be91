"""`select.poll`, `select.select` and `fcntl.fcntl` for simulated sockets: whether one is ready, and its flags.

Clients of HTTP test in this way whether the server has closed a connection that they keep (httpcore, trio).  A call
that would have to wait, or that names a descriptor of the operating system, raises OutsideSimulation.

A library may ask whether a child process would inherit a socket (pymongo does).  It would not: there is none.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from ...net import READ, WRITE
from ..simulation import OutsideSimulation, Simulation, simulation

#: A descriptor or an object that has one, and the arguments and answers of the modules select and fcntl.
Given: TypeAlias = Any

_ADVICE: Final = "an await of a read or a write"
_select = select.select
_poll: Final[Callable[[], Given] | None] = getattr(select, "poll", None)  # None: not on Windows
_POLLIN: Final = 1  # POSIX leaves the numbers free; all systems have these
_POLLOUT: Final = 4


def _number(fd: Given) -> int:
    number: int = fd if isinstance(fd, int) else fd.fileno()
    return number


def _ready(here: Simulation, fd: Given) -> int:
    """READ and WRITE, as far as the socket is ready for them."""
    found = here.descriptors.get(_number(fd))
    if found is None:
        raise OutsideSimulation(f"the descriptor {_number(fd)}", "a socket that was made in the simulation")
    ready: int = found.ready()
    return ready


def _must_not_wait(found: object, timeout: float | None) -> None:
    if not found and timeout != 0:
        raise OutsideSimulation("a wait until a socket is ready", _ADVICE)


class SimPoll:
    """A polling object for simulated sockets."""

    def __init__(self, here: Simulation) -> None:
        self._here = here
        self._masks: dict[int, int] = {}

    def register(self, fd: Given, eventmask: int = 7, /) -> None:
        """`eventmask`: POLLIN, POLLPRI and POLLOUT; by default all of them, as select.poll."""
        self._masks[_number(fd)] = eventmask

    modify = register

    def unregister(self, fd: Given, /) -> None:
        del self._masks[_number(fd)]

    def poll(self, timeout: float | None = None, /) -> list[tuple[int, int]]:
        found = []
        for fd, mask in self._masks.items():
            ready = _ready(self._here, fd)
            events = mask & (_POLLIN * bool(ready & READ) | _POLLOUT * bool(ready & WRITE))
            if events:
                found.append((fd, events))
        _must_not_wait(found, timeout)
        return found


def poll() -> Given:
    """select.poll."""
    here = simulation()
    assert _poll is not None
    return _poll() if here is None else SimPoll(here)


def select_(
    rlist: Iterable[Given],
    wlist: Iterable[Given],
    xlist: Iterable[Given],
    timeout: float | None = None,
    /,
) -> tuple[list[Given], list[Given], list[Given]]:
    """select.select."""
    here = simulation()
    if here is None:
        return _select(rlist, wlist, xlist, timeout)
    reading = [each for each in rlist if _ready(here, each) & READ]
    writing = [each for each in wlist if _ready(here, each) & WRITE]
    _must_not_wait(reading or writing, timeout)
    return reading, writing, []


def replacements() -> list[tuple[Given, str, Callable[..., Given]]]:
    """The (module, name, replacement) of each."""
    made: list[tuple[Given, str, Callable[..., Given]]] = [(select, "select", select_)]
    if _poll is not None:
        made.append((select, "poll", poll))
    if sys.platform != "win32":
        made.append((fcntl, "fcntl", _simulated))
    return made


if sys.platform != "win32":
    import fcntl

    _fcntl: Final[Callable[..., Given]] = fcntl.fcntl

    def _simulated(fd: Given, cmd: int, arg: Given = 0, /) -> Given:
        """fcntl.fcntl."""
        here = simulation()
        sock = None if here is None else here.descriptors.get(_number(fd))
        if sock is None:
            return _fcntl(fd, cmd, arg)
        if cmd == fcntl.F_GETFD:
            return fcntl.FD_CLOEXEC
        if cmd == fcntl.F_GETFL:
            return os.O_RDWR | (0 if sock.getblocking() else os.O_NONBLOCK)
        if cmd == fcntl.F_SETFL:
            sock.setblocking(not arg & os.O_NONBLOCK)
        elif cmd != fcntl.F_SETFD:
            raise OutsideSimulation(f"the command {cmd} of fcntl", "the methods of the socket")
        return 0
