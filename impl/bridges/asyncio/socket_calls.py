"""asyncio's calls on sockets (sock_connect, sock_accept, sock_recv, sock_sendall and so on), and its look-ups of names.

A call tries; on BlockingIOError it waits for a watcher of the socket's end (conn.py), and tries again.  So a cancel
loses no data.  Sockets of the operating system are refused.

addresses.py says which hosts and ports need no look-up; every other name is looked up in the network, in virtual time.

Source: CPython documentation of 3.15, "Event Loop", Working with socket objects directly.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, TypeVar, cast

from ...net.conn import READ, WRITE, Address
from ...net.request import Request, ask
from .. import addresses
from ..simulated_loop import SimLoopBase
from .sockets import SimSocket, simulated
from .tasks import resolve

#: A host, an address, a buffer or a socket, as asyncio's calls take it.
Given: TypeAlias = Any

T = TypeVar("T")


class SocketCalls(SimLoopBase):
    """A mixin of SimEventLoop: the calls on sockets, and the look-ups of names.

    Needs: `create_future`, `get_debug`.  Gives: the `sock_` methods, but `sock_sendfile`; `getaddrinfo`, `getnameinfo`.
    """

    async def getaddrinfo(
        self, host: Given, port: Given, *, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> list[Given]:
        found = addresses.known(self.net, host, family, flags)
        if found is None:
            look_up: Request[tuple[str, ...]] = partial(self.net.resolve, addresses.text(host) or "")
            found = await ask(self.create_future, look_up)
        return addresses.entries(found, host, port, type, proto, flags)

    async def getnameinfo(self, sockaddr: Given, flags: int = 0) -> tuple[str, str]:
        return addresses.name_info(self.net, sockaddr, flags)

    async def sock_connect(self, sock: Given, address: Given) -> None:
        end = self._non_blocking(sock)
        host = address[0] or "127.0.0.1"
        if end.type == socket.SOCK_DGRAM:
            end.peer = cast(Address, (await self.getaddrinfo(host, address[1], type=end.type))[0][4])
            return
        place = cast(Address, (await self.getaddrinfo(host, address[1], type=socket.SOCK_STREAM))[0][4])
        end.become(await ask(self.create_future, partial(end.begin_connect, place)))

    async def sock_accept(self, sock: Given) -> tuple[Given, Given]:
        end = self._non_blocking(sock)
        client, address = await self._retry(end, end.accept, READ)
        client.setblocking(False)
        return client, address

    async def sock_recv(self, sock: Given, nbytes: int) -> bytes:
        end = self._non_blocking(sock)
        return await self._retry(end, lambda: end.recv(nbytes), READ)

    async def sock_recv_into(self, sock: Given, buf: Given) -> int:
        end = self._non_blocking(sock)
        return await self._retry(end, lambda: end.recv_into(buf), READ)

    async def sock_sendall(self, sock: Given, data: Given) -> None:
        end = self._non_blocking(sock)
        view = memoryview(data).cast("B")
        while view:
            part = view
            view = view[await self._retry(end, lambda: end.send(part), WRITE) :]  # noqa: B023  (called at once)

    async def sock_recvfrom(self, sock: Given, bufsize: int) -> Given:
        end = self._non_blocking(sock)
        return await self._retry(end, lambda: end.recvfrom(bufsize), READ)

    async def sock_recvfrom_into(self, sock: Given, buf: Given, nbytes: int = 0) -> Given:
        view = memoryview(buf).cast("B")
        data, source = await self.sock_recvfrom(sock, nbytes or len(view))
        view[: len(data)] = data
        return len(data), source

    async def sock_sendto(self, sock: Given, data: Given, address: Given) -> int:
        return self._non_blocking(sock).sendto(data, address)

    async def _retry(self, sock: SimSocket, attempt: Callable[[], T], what: int) -> T:
        """Call `attempt` until it does not raise BlockingIOError; `what`: READ or WRITE."""
        while True:
            try:
                return attempt()
            except BlockingIOError:
                pass
            end = sock.end()
            hint = self.create_future()
            watcher = partial(_hinted, hint, what)
            end.watch(watcher)
            try:
                await hint
            finally:
                end.unwatch(watcher)

    def _non_blocking(self, sock: Given) -> SimSocket:
        end = simulated(sock)
        if self.get_debug() and end.gettimeout() != 0:
            raise ValueError("the socket must be non-blocking")
        end.setblocking(False)
        return end


def _hinted(hint: asyncio.Future[None], wanted: int, what: int) -> None:
    if what & wanted:
        resolve(hint)
