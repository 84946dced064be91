"""`fcntl.fcntl` for simulated sockets: their flags.

A library may ask whether a child process would inherit a socket (pymongo does).  It would not: there is none.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from ..simulation import OutsideSimulation, simulation

#: A descriptor or an object that has one, and the arguments and answers of the module fcntl.
Given: TypeAlias = Any

#: The (module, name, replacement) of each; Windows does not have the module.
REPLACEMENTS: Final[list[tuple[Given, str, Callable[..., Given]]]] = []

if sys.platform != "win32":
    import fcntl

    _fcntl: Final[Callable[..., Given]] = fcntl.fcntl

    def _simulated(fd: Given, cmd: int, arg: Given = 0, /) -> Given:
        """fcntl.fcntl."""
        here = simulation()
        number = fd if isinstance(fd, int) else fd.fileno()
        sock = None if here is None else here.descriptors.get(number)
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

    REPLACEMENTS.append((fcntl, "fcntl", _simulated))
