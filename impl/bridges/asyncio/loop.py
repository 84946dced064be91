"""SimEventLoop: asyncio programs, unmodified, on our kernel, clock and network.

The loop is SimLoopBase (simulated_loop.py), with the state that its parts share, and six mixins that import that base
only.
Each docstring states the methods of other mixins that the part calls on itself, and those that it gives.

    scheduling.py      callbacks, timers, tasks, running
    errors.py          the exception handler and debug mode
    socket_calls.py    the calls on sockets, name resolution
    connections.py     connections, servers, TLS
    readiness.py       readers and writers of sockets
    signals.py         signals that the program sends to itself
    this file          datagrams, files, and the calls that raise

The other modules: handles.py, tasks.py (items of the ready queue); sockets.py, transport.py, server.py, datagrams.py,
tls.py (the network); bridges/simulation.py and bridges/asyncio/guard.py (the guard around a run); run.py and
trace.py, with runners/simulate.py, bridges/network.py and bridges/digest.py (a run, its token and its digest);
patches.py (patches of anyio and aiohttp).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any, NoReturn

from ...interfaces import Observer
from ...net import IDEAL, NetworkConditions
from ...sim.choices import Choices
from ...sim.inject import NOTHING, Injection
from ...sim.kernel import TURNS_MAX
from ...sim.order import Order, ReadyQueue
from ..simulated_loop import SimLoopBase
from ..simulation import OutsideSimulation
from .connections import Connections
from .datagrams import endpoint
from .errors import Errors
from .patches import watch_imports
from .readiness import Readiness
from .scheduling import Turns
from .signals import SignalHandlers
from .socket_calls import SocketCalls
from .sockets import simulated

# Any in this file: descriptors, or objects that have one, and refused arguments.


class SimEventLoop(Turns, Errors, SocketCalls, Connections, Readiness, SignalHandlers):
    """An asyncio event loop in virtual time, with a network of its own.

    Parameters:
        choices: the source of everything that may vary; None: nothing varies.
        conditions: the conditions of the network (impl.net.NetworkConditions).
        order, observer, turns_max, ready, inject: as Kernel's.
    """

    def __init__(
        self,
        choices: Choices | None = None,
        conditions: NetworkConditions = IDEAL,
        order: Order = "fifo",
        observer: Observer | None = None,
        turns_max: int = TURNS_MAX,
        ready: ReadyQueue | None = None,
        *,
        inject: Injection = NOTHING,
    ) -> None:
        SimLoopBase.__init__(self, choices, conditions, order, observer, turns_max, ready, inject)
        Turns.__init__(self)
        Errors.__init__(self)
        Readiness.__init__(self)
        watch_imports()

    # --- refused -----------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> NoReturn:
        """A clock for tests replaces the selector of asyncio's own loops, so that a sleep takes no time."""
        if name == "_selector":  # no property: a mock of the loop would read it
            raise OutsideSimulation("the selector of asyncio's own loop", "asyncio.sleep, which takes no real time")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    async def connect_read_pipe(self, protocol_factory: Any, pipe: Any) -> NoReturn:
        raise OutsideSimulation("a pipe", "a connection of the simulated network")

    async def connect_write_pipe(self, protocol_factory: Any, pipe: Any) -> NoReturn:
        raise OutsideSimulation("a pipe", "a connection of the simulated network")

    async def subprocess_exec(self, protocol_factory: Any, *args: Any, **kwargs: Any) -> NoReturn:
        raise OutsideSimulation("a subprocess", "a coroutine of this program")

    async def subprocess_shell(self, protocol_factory: Any, cmd: Any, **kwargs: Any) -> NoReturn:
        raise OutsideSimulation("a subprocess", "a coroutine of this program")

    async def create_unix_connection(self, protocol_factory: Any, path: Any = None, **kwargs: Any) -> Any:
        place = None if self.outside is None or path is None else self.outside.places.get(os.fspath(path))
        if place is None or kwargs.get("sock") is not None:
            raise OutsideSimulation("a Unix socket", "create_connection to localhost, or --outside with its path")
        return await self.create_connection(protocol_factory, *place, **kwargs)

    async def create_unix_server(self, protocol_factory: Any, path: Any = None, **kwargs: Any) -> NoReturn:
        raise OutsideSimulation("a Unix socket", "create_server at localhost")

    # --- datagrams and files -----------------------------------------------------------------------------

    async def create_datagram_endpoint(  # type: ignore[override]  # asyncio types an address as a pair or a path
        self,
        protocol_factory: Any,
        local_addr: Any = None,
        remote_addr: Any = None,
        *,
        family: int = 0,
        proto: int = 0,
        flags: int = 0,
        reuse_port: bool | None = None,
        allow_broadcast: bool | None = None,
        sock: Any = None,
    ) -> tuple[Any, Any]:
        if sock is not None and (local_addr or remote_addr or family or proto or flags):
            raise ValueError("socket modifier keyword arguments can not be used when sock is specified.")
        if sock is None and not (local_addr or remote_addr or family):
            raise ValueError("unexpected address family")
        mine = None if sock is None else simulated(sock)
        return await endpoint(self, protocol_factory, local_addr, remote_addr, mine)

    async def sendfile(
        self, transport: Any, file: Any, offset: int = 0, count: int | None = None, *, fallback: bool = True
    ) -> int:
        """Read the file here and write it to the transport, part by part."""
        if transport.is_closing():
            raise RuntimeError("Transport is closing")
        return await self._copy(file, offset, count, transport.write)

    async def sock_sendfile(
        self, sock: Any, file: Any, offset: int = 0, count: int | None = None, *, fallback: bool | None = True
    ) -> int:
        parts: list[bytes] = []
        size = await self._copy(file, offset, count, parts.append)
        await self.sock_sendall(sock, b"".join(parts))
        return size

    async def _copy(self, file: Any, offset: int, count: int | None, take: Callable[[bytes], object]) -> int:
        file.seek(offset)
        sent = 0
        while count is None or sent < count:
            part = file.read(65536 if count is None else min(65536, count - sent))
            if not part:
                break
            take(part)
            sent += len(part)
            await asyncio.sleep(0)
        file.seek(offset + sent)
        return sent
