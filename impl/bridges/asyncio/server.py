"""SimServer: asyncio's server on listeners of the simulated network.

While the server serves, it watches each of its sockets.  A new connection gets a protocol and a transport, with
asyncio's TLS between them if there is a context.  `wait_closed` waits until the server and all its connections are
closed, on every Python (before 3.12.1 CPython's did not).

Source: CPython documentation of 3.15, "Event Loop", Server objects.
"""

from __future__ import annotations

import asyncio
from asyncio.trsock import TransportSocket
from collections.abc import Callable, Iterable
from contextvars import copy_context
from typing import Any, cast

from ..simulated_loop import SimLoopBase
from .sockets import SimSocket


class SimServer(asyncio.AbstractServer):
    """A server; `wire` makes the transport of a new connection."""

    def __init__(
        self,
        loop: SimLoopBase,
        sockets: Iterable[SimSocket],
        backlog: int,
        wire: Callable[[SimSocket, SimServer], object],
    ) -> None:
        self._loop = loop
        self._sockets: list[SimSocket] | None = list(sockets)
        self._backlog = backlog
        self._wire = wire
        self._serving = False
        self._clients: dict[asyncio.Transport, None] = {}
        self._waiters: list[asyncio.Future[None]] = []
        self._forever: asyncio.Future[None] | None = None
        self._context = copy_context()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} sockets={self._sockets!r}>"

    @property
    def sockets(self) -> tuple[TransportSocket, ...]:
        # Any: TransportSocket is typed for real sockets.
        return tuple(TransportSocket(cast(Any, sock)) for sock in self._sockets or ())

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def is_serving(self) -> bool:
        return self._serving

    def serve(self) -> None:
        """Start listening and accepting, unless the server has started."""
        if self._serving or self._sockets is None:
            return
        self._serving = True
        for sock in self._sockets:
            sock.listen(self._backlog)
            assert sock.listener is not None
            sock.listener.watch(self._event)
        self._loop.call_soon(self._accept)  # connections may be waiting already

    async def start_serving(self) -> None:
        self.serve()
        await asyncio.sleep(0)

    async def serve_forever(self) -> None:
        if self._forever is not None:
            raise RuntimeError(f"server {self!r} is already being awaited on serve_forever()")
        if self._sockets is None:
            raise RuntimeError(f"server {self!r} is closed")
        self.serve()
        self._forever = self._loop.create_future()
        try:
            await self._forever
        except asyncio.CancelledError:
            try:
                self.close()
                await self.wait_closed()
            finally:
                raise
        finally:
            self._forever = None

    def close(self) -> None:
        sockets, self._sockets = self._sockets, None
        if sockets is None:
            return
        for sock in sockets:
            sock.close()
        self._serving = False
        if self._forever is not None and not self._forever.done():
            self._forever.cancel()
        if not self._clients:
            self._wake()

    def close_clients(self) -> None:
        """Close the transports of its connections (asyncio: since 3.13)."""
        for transport in list(self._clients):
            transport.close()

    def abort_clients(self) -> None:
        """Abort the transports of its connections (asyncio: since 3.13)."""
        for transport in list(self._clients):
            transport.abort()

    async def wait_closed(self) -> None:
        if self._sockets is not None or self._clients:
            waiter = self._loop.create_future()
            self._waiters.append(waiter)
            await waiter

    # --- for transports ----------------------------------------------------------------------------------

    def attach(self, transport: asyncio.Transport) -> None:
        self._clients[transport] = None

    def detach(self, transport: asyncio.Transport) -> None:
        self._clients.pop(transport, None)
        if not self._clients and self._sockets is None:
            self._wake()

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    # --- for listeners -----------------------------------------------------------------------------------

    def _event(self, what: int) -> None:
        self._context.copy().run(self._accept)

    def _accept(self) -> None:
        for sock in self._sockets or ():
            while sock.listener is not None and (conn := sock.listener.accept()) is not None:
                client = SimSocket(conn=conn)
                client.setblocking(False)
                try:
                    self._wire(client, self)
                except (SystemExit, KeyboardInterrupt):
                    raise
                except BaseException as error:
                    client.close()
                    message = "Error on transport creation for incoming connection"
                    self._loop.call_exception_handler({"message": message, "exception": error})
