"""Datagrams for asyncio programs: the transport and the endpoint.

A datagram socket has a `DatagramPort` of the simulated network instead of a connection, from the moment it is bound or
first sends.  Sending never waits: the network delivers the datagram or loses it.  A socket with a peer sends to it, and
receives from it only.

Source: CPython documentation of 3.15, "Event Loop" (create_datagram_endpoint), "Transports and Protocols".
"""

from __future__ import annotations

import asyncio
import socket
from asyncio.trsock import TransportSocket
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, TypeAlias, cast

from ..simulated_loop import SimLoopBase
from .sockets import SimSocket

#: An address or a buffer, as the module socket takes it.
Given: TypeAlias = Any

_RECEIVE_BYTES = 256 * 1024


class SimDatagramTransport(asyncio.DatagramTransport):
    """A transport over a datagram socket."""

    def __init__(self, loop: SimLoopBase, sock: SimSocket, protocol: asyncio.DatagramProtocol) -> None:
        extra = {"socket": TransportSocket(cast(Any, sock)), "sockname": sock.getsockname()}
        super().__init__(extra if sock.peer is None else {**extra, "peername": sock.peer})
        self._serial = loop.serial()
        self._loop = loop
        self._sock = sock
        self._protocol = protocol
        self._closing = False
        self._context = copy_context()
        loop.call_soon(protocol.connection_made, self)
        loop.call_soon(self._begin)

    def __hash__(self) -> int:
        return self._serial

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.get_extra_info('sockname')}{' closing' * self._closing}>"

    def _begin(self) -> None:
        if not self._closing:
            self._sock.datagram_port().watch(self._event)
            self._read()

    def _event(self, what: int) -> None:
        self._context.run(self._read)

    def _read(self) -> None:
        while not self._closing:
            try:
                data, source = self._sock.recvfrom(_RECEIVE_BYTES)
            except BlockingIOError:
                return
            try:
                self._protocol.datagram_received(data, source)
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException as error:
                what = {
                    "message": "Fatal error: protocol.datagram_received() call failed.",
                    "exception": error,
                }
                self._loop.call_exception_handler({**what, "transport": self, "protocol": self._protocol})
                self._lose(error)

    def sendto(self, data: Given, addr: Given = None) -> None:
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"data argument must be a bytes-like object, not {type(data).__name__!r}")
        if self._closing:
            return
        if self._sock.peer is not None and addr not in (None, self._sock.peer):
            raise ValueError(f"Invalid address: must be None or {self._sock.peer}")
        try:
            self._sock.sendto(data, addr or self._sock.peer)
        except OSError as error:
            self._protocol.error_received(error)

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = cast(asyncio.DatagramProtocol, protocol)

    def is_closing(self) -> bool:
        return self._closing

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        self._lose(None)

    def abort(self) -> None:
        self._lose(None)

    def _lose(self, error: BaseException | None) -> None:
        if not self._closing:
            self._closing = self._sock.closing = True
            self._sock.datagram_port().unwatch(self._event)
            self._loop.call_soon(self._gone, error)

    def _gone(self, error: BaseException | None) -> None:
        try:
            self._protocol.connection_lost(cast("Exception | None", error))
        finally:
            self._sock.close()


async def endpoint(
    loop: SimLoopBase,
    protocol_factory: Callable[[], asyncio.DatagramProtocol],
    local_addr: Given,
    remote_addr: Given,
    sock: SimSocket | None,
) -> tuple[SimDatagramTransport, asyncio.DatagramProtocol]:
    """The result of create_datagram_endpoint; `sock` excludes addresses."""
    if sock is None:
        sock = SimSocket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.setblocking(False)
        try:
            if local_addr is not None:
                sock.bind(await _resolved(loop, local_addr, socket.AI_PASSIVE))
            if remote_addr is not None:
                sock.peer = await _resolved(loop, remote_addr, 0)
        except BaseException:
            sock.close()
            raise
    elif sock.type != socket.SOCK_DGRAM:
        raise ValueError(f"A datagram socket was expected, got {sock!r}")
    sock.setblocking(False)
    protocol = protocol_factory()
    transport = SimDatagramTransport(loop, sock, protocol)
    begun = loop.create_future()
    loop.call_soon(_begun, begun)
    try:
        await begun
    except BaseException:
        transport.close()
        raise
    return transport, protocol


def _begun(future: asyncio.Future[None]) -> None:
    """Resolve a future.  `tasks.resolve` does the same, but the name of a callback is part of a run's digest."""
    if not future.done():
        future.set_result(None)


async def _resolved(loop: SimLoopBase, address: Given, flags: int) -> Given:
    if not (isinstance(address, tuple) and len(address) == 2):
        raise TypeError("2-tuple is expected")
    infos = await loop.getaddrinfo(*address, type=socket.SOCK_DGRAM, flags=flags)
    return infos[0][4]
