"""The two public hooks of trio's network: the socket factory and the hostname resolver.

`trio.socket.set_custom_socket_factory` and `set_custom_hostname_resolver` apply to one run of trio.  addresses.py says
which hosts and ports need no look-up; trio resolves numeric hosts itself.

Source: trio's documentation, "Virtual networking for testing"; `trio.abc.SocketFactory`, `trio.abc.HostnameResolver`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import trio

from ...net import SimulatedNet
from ...net.request import Answer, Request
from .. import addresses
from ..simulation import OutsideSimulation
from .sockets import STREAMS, SocketRegistry, TrioSimSocket

#: A socket address, as the module socket takes it.
SocketAddress: TypeAlias = Any


class SocketFactory(trio.abc.SocketFactory):
    """Makes the sockets of `trio.socket.socket`."""

    def __init__(self, place: SocketRegistry) -> None:
        self._place = place

    def socket(
        self, family: int = socket.AF_INET, type: int = socket.SOCK_STREAM, proto: int = 0
    ) -> TrioSimSocket:
        if type & 0xF != socket.SOCK_STREAM:  # without SOCK_NONBLOCK and SOCK_CLOEXEC
            raise OutsideSimulation("a datagram", STREAMS)
        if family == getattr(socket, "AF_UNIX", None):
            raise OutsideSimulation("a Unix socket", "a socket of AF_INET")
        return TrioSimSocket(self._place, family, proto)


class HostnameResolver(trio.abc.HostnameResolver):
    """Answers `trio.socket.getaddrinfo` and `getnameinfo`."""

    def __init__(self, net: SimulatedNet) -> None:
        self._net = net

    async def getaddrinfo(
        self,
        host: bytes | None,
        port: bytes | str | int | None,
        family: int = 0,
        type: int = 0,
        proto: int = 0,
        flags: int = 0,
    ) -> list[SocketAddress]:
        await trio.lowlevel.checkpoint()
        found = addresses.known(self._net, host, family, flags)
        if found is None:
            found = await self._resolve(addresses.text(host) or "")
        return addresses.entries(found, host, port, type, proto, flags)

    async def getnameinfo(self, sockaddr: SocketAddress, flags: int) -> tuple[str, str]:
        await trio.lowlevel.checkpoint()
        return addresses.name_info(self._net, sockaddr, flags)

    async def _resolve(self, name: str) -> tuple[str, ...]:
        task = trio.lowlevel.current_task()
        look_up: Request[tuple[str, ...]] = partial(self._net.resolve, name)
        answer = Answer(look_up, partial(trio.lowlevel.reschedule, task))

        def abort(raise_cancel: Callable[[], Any]) -> trio.lowlevel.Abort:
            answer.cancel()
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)
        return answer.take()
