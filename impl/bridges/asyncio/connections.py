"""Connections and servers: asyncio's calls that return a transport, with or without TLS.

Each connection is a SimSocket over a Conn, and a SimTransport over that.  With TLS, asyncio's own SSLProtocol is
between the transport and the program's protocol, as on asyncio's loops.  Its constructor and the attributes used here
are the same on CPython 3.11 to 3.15.
"""

from __future__ import annotations

import asyncio
import functools
import socket
import ssl as tls
from asyncio import sslproto, staggered
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, cast

from ..simulated_loop import SimLoopBase
from .server import SimServer
from .sockets import SimSocket, simulated
from .tasks import resolve
from .transport import SimTransport

#: A protocol, a TLS context, an address or an option, passed on to asyncio or the module socket.
Given: TypeAlias = Any

_Factory = Callable[[], asyncio.BaseProtocol]


class Connections(SimLoopBase):
    """A mixin of SimEventLoop: connections and servers.

    Needs: `create_future`, `call_soon`, `getaddrinfo`, `sock_connect`.  Gives: `create_connection`, `create_server`,
    `connect_accepted_socket`, `start_tls`.
    """

    # --- connecting --------------------------------------------------------------------------------------

    async def create_connection(
        self,
        protocol_factory: _Factory,
        host: Given = None,
        port: Given = None,
        *,
        ssl: Given = None,
        family: int = 0,
        proto: int = 0,
        flags: int = 0,
        sock: Given = None,
        local_addr: Given = None,
        server_hostname: str | None = None,
        ssl_handshake_timeout: float | None = None,
        ssl_shutdown_timeout: float | None = None,
        happy_eyeballs_delay: float | None = None,
        interleave: int | None = None,
        all_errors: bool = False,
    ) -> tuple[asyncio.Transport, Given]:
        if server_hostname is not None and not ssl:
            raise ValueError("server_hostname is only meaningful with ssl")
        if ssl and server_hostname is None:
            if not host:
                raise ValueError("You must set server_hostname when using ssl without a host")
            server_hostname = host
        _check_timeouts(ssl, ssl_handshake_timeout, ssl_shutdown_timeout)
        if host is None and port is None:
            if sock is None:
                raise ValueError("host and port was not specified and no sock specified")
            if sock.type != socket.SOCK_STREAM:
                raise ValueError(f"A Stream Socket was expected, got {sock!r}")
        elif sock is not None:
            raise ValueError("host/port and sock can not be specified at the same time")
        else:
            infos = await self.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM, proto=proto, flags=flags)
            sock = await self._first([info[4] for info in infos], local_addr, happy_eyeballs_delay, all_errors)
        times = (ssl_handshake_timeout, ssl_shutdown_timeout)
        return await self._wired(simulated(sock), protocol_factory(), ssl, False, server_hostname, times)

    async def _first(self, places: list[Given], local_addr: Given, delay: float | None, all_errors: bool) -> SimSocket:
        """A socket that is connected to the first of the addresses that answers."""
        errors: list[OSError] = []

        async def attempt(place: Given) -> SimSocket:
            sock = SimSocket(socket.AF_INET, socket.SOCK_STREAM)
            sock.setblocking(False)
            try:
                if local_addr is not None:
                    sock.bind(local_addr)
                await self.sock_connect(cast(Given, sock), place)
            except BaseException as error:
                sock.close()
                if isinstance(error, OSError):
                    errors.append(error)
                raise
            return sock

        if delay is not None:
            race: Any = staggered.staggered_race  # its types differ between versions of the stubs
            sock, _, _ = await race([functools.partial(attempt, place) for place in places], delay)
            if sock is not None:
                return cast(SimSocket, sock)
        else:
            for place in places:
                try:
                    return await attempt(place)
                except OSError:
                    pass
        try:
            raise _one_of(errors, all_errors)
        finally:
            errors.clear()  # an error's traceback holds this frame: it must not hold the error

    async def connect_accepted_socket(
        self,
        protocol_factory: Given,
        sock: Given,
        *,
        ssl: Given = None,
        ssl_handshake_timeout: float | None = None,
        ssl_shutdown_timeout: float | None = None,
    ) -> tuple[asyncio.Transport, Given]:
        if sock.type != socket.SOCK_STREAM:
            raise ValueError(f"A Stream Socket was expected, got {sock!r}")
        _check_timeouts(ssl, ssl_handshake_timeout, ssl_shutdown_timeout)
        times = (ssl_handshake_timeout, ssl_shutdown_timeout)
        return await self._wired(simulated(sock), protocol_factory(), ssl, True, None, times)

    async def _wired(
        self,
        sock: SimSocket,
        protocol: asyncio.BaseProtocol,
        context: Given,
        server_side: bool,
        server_hostname: str | None,
        times: tuple[float | None, float | None],
    ) -> tuple[asyncio.Transport, Given]:
        """The transport of a connected socket, after `connection_made` was called."""
        waiter = self.create_future()
        transport = self._wire(sock, protocol, context, server_side, server_hostname, times, waiter)
        try:
            await waiter
        except BaseException:
            transport.close()
            raise
        return transport, protocol

    def _wire(
        self,
        sock: SimSocket,
        protocol: asyncio.BaseProtocol,
        context: Given,
        server_side: bool,
        server_hostname: str | None,
        times: tuple[float | None, float | None],
        waiter: asyncio.Future[None] | None,
        server: SimServer | None = None,
    ) -> asyncio.Transport:
        if not context:
            transport = SimTransport(self, sock, protocol, server)
            if waiter is not None:  # after connection_made
                self.call_soon(resolve, waiter)
            return transport
        between = _tls(self, protocol, context, waiter, server_side, server_hostname, times, True)
        SimTransport(self, sock, between, server)
        return cast(asyncio.Transport, between._app_transport)

    async def start_tls(
        self,
        transport: Given,
        protocol: Given,
        sslcontext: tls.SSLContext,
        *,
        server_side: bool = False,
        server_hostname: str | None = None,
        ssl_handshake_timeout: float | None = None,
        ssl_shutdown_timeout: float | None = None,
    ) -> asyncio.Transport:
        if not isinstance(sslcontext, tls.SSLContext):
            raise TypeError(f"sslcontext is expected to be an instance of ssl.SSLContext, got {sslcontext!r}")
        if not (isinstance(transport, SimTransport) or getattr(transport, "_start_tls_compatible", False)):
            raise TypeError(f"transport {transport!r} is not supported by start_tls()")
        waiter = self.create_future()
        times = (ssl_handshake_timeout, ssl_shutdown_timeout)
        between = _tls(self, protocol, sslcontext, waiter, server_side, server_hostname, times, False)
        transport.pause_reading()  # no data before connection_made of `between`
        transport.set_protocol(between)
        made = self.call_soon(between.connection_made, transport)
        resumed = self.call_soon(transport.resume_reading)
        try:
            await waiter
        except BaseException:
            transport.close()
            made.cancel()
            resumed.cancel()
            raise
        return cast(asyncio.Transport, between._app_transport)

    # --- serving -----------------------------------------------------------------------------------------

    async def create_server(  # type: ignore[override]  # as create_connection
        self,
        protocol_factory: _Factory,
        host: Given = None,
        port: Given = None,
        *,
        family: int = socket.AF_UNSPEC,
        flags: int = socket.AI_PASSIVE,
        sock: Given = None,
        backlog: int = 100,
        ssl: Given = None,
        reuse_address: bool | None = None,
        reuse_port: bool | None = None,
        keep_alive: bool | None = None,
        ssl_handshake_timeout: float | None = None,
        ssl_shutdown_timeout: float | None = None,
        start_serving: bool = True,
    ) -> SimServer:
        if isinstance(ssl, bool):
            raise TypeError("ssl argument must be an SSLContext or None")
        _check_timeouts(ssl, ssl_handshake_timeout, ssl_shutdown_timeout)
        if host is None and port is None:
            if sock is None:
                raise ValueError("Neither host/port nor sock were specified")
            if sock.type != socket.SOCK_STREAM:
                raise ValueError(f"A Stream Socket was expected, got {sock!r}")
            sockets = [simulated(sock)]
        elif sock is not None:
            raise ValueError("host/port and sock can not be specified at the same time")
        else:
            sockets = await self._bound(host, port, family, flags)
        times = (ssl_handshake_timeout, ssl_shutdown_timeout)

        def wire(client: SimSocket, server: SimServer) -> None:
            self._wire(client, protocol_factory(), ssl, True, None, times, None, server)

        server = SimServer(self, sockets, backlog, wire)
        if start_serving:
            await server.start_serving()
        return server

    async def _bound(self, host: Given, port: Given, family: int, flags: int) -> list[SimSocket]:
        """A listening socket for each address of `host`: one name, several, or None for every address."""
        hosts = [host] if host is None or isinstance(host, str) else list(host)
        places: dict[Given, None] = {}
        for name in hosts:
            infos = await self.getaddrinfo(
                name or None, port, family=family, type=socket.SOCK_STREAM, flags=flags | socket.AI_PASSIVE
            )
            places.update(dict.fromkeys(info[4] for info in infos))
        sockets: list[SimSocket] = []
        try:
            for place in places:
                sock = SimSocket(socket.AF_INET, socket.SOCK_STREAM)
                sockets.append(sock)
                sock.setblocking(False)
                sock.bind(place)
                sock.listen()
        except OSError as error:
            for sock in sockets:
                sock.close()
            raise OSError(
                error.errno, f"error while attempting to bind on address {place!r}: {str(error).lower()}"
            ) from None
        return sockets


def _tls(
    loop: asyncio.AbstractEventLoop,
    protocol: asyncio.BaseProtocol,
    context: Given,
    waiter: asyncio.Future[None] | None,
    server_side: bool,
    server_hostname: str | None,
    times: tuple[float | None, float | None],
    announced: bool,
) -> Given:
    """asyncio's TLS for `protocol`; `announced`: whether it calls the protocol's connection_made."""
    make: Any = sslproto.SSLProtocol  # the stubs type its parameters differently
    return make(
        loop,
        protocol,
        None if isinstance(context, bool) else context,
        waiter,
        server_side,
        server_hostname,
        call_connection_made=announced,
        ssl_handshake_timeout=times[0],
        ssl_shutdown_timeout=times[1],
    )


def _check_timeouts(context: Given, *times: float | None) -> None:
    if not context and any(time is not None for time in times):
        raise ValueError("ssl_handshake_timeout and ssl_shutdown_timeout are only meaningful with ssl")


def _one_of(errors: Iterable[OSError], all_errors: bool) -> Exception:
    """The exception that create_connection raises for the errors of its attempts."""
    found = list(errors)
    if all_errors:
        return ExceptionGroup("create_connection failed", found)
    if len({str(error) for error in found}) == 1:
        return found[0]
    return OSError("Multiple exceptions: " + ", ".join(map(str, found)))
