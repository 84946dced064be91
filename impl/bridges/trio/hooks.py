"""The two public hooks of trio's network: what makes its sockets, and who answers its look-ups.

Theory of operation.  `trio.socket.set_custom_socket_factory` and `set_custom_hostname_resolver` hold for one run of
trio.  What a place may be called, and what needs no look-up: addresses.py.  A numeric host trio looks up by itself.

Source: trio's documentation, "Virtual networking for testing"; `trio.abc.SocketFactory`, `trio.abc.HostnameResolver`.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from typing import Any

import trio

from ...net import SimulatedNet
from ...net.conn import os_error
from .. import addresses
from ..simulation import OutsideSimulation
from .sockets import STREAMS, Place, SimSocket

# Any in this file: addresses, as in the module socket.


class SocketFactory(trio.abc.SocketFactory):
    """What `trio.socket.socket` makes."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def socket(
        self, family: int = socket.AF_INET, type: int = socket.SOCK_STREAM, proto: int = 0
    ) -> SimSocket:
        if type & 0xF != socket.SOCK_STREAM:  # without SOCK_NONBLOCK and SOCK_CLOEXEC
            raise OutsideSimulation("a datagram", STREAMS)
        if family != socket.AF_INET:
            raise os_error(errno.EAFNOSUPPORT, "the simulated network has AF_INET only")
        return SimSocket(self._place, proto)


class HostnameResolver(trio.abc.HostnameResolver):
    """What `trio.socket.getaddrinfo` and `getnameinfo` ask."""

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
    ) -> list[Any]:
        await trio.lowlevel.checkpoint()
        found = addresses.known(self._net, host, family, flags)
        if found is None:
            found = await self._resolve(addresses.text(host) or "")
        return addresses.entries(found, host, port, type, proto, flags)

    async def getnameinfo(self, sockaddr: Any, flags: int) -> tuple[str, str]:
        await trio.lowlevel.checkpoint()
        return addresses.whose(self._net, sockaddr, flags)

    async def _resolve(self, name: str) -> tuple[str, ...]:
        came: list[tuple[str, ...] | OSError] = []
        task = trio.lowlevel.current_task()

        def answered(answer: tuple[str, ...] | OSError) -> None:
            came.append(answer)
            trio.lowlevel.reschedule(task)

        def abort(raise_cancel: Callable[[], Any]) -> trio.lowlevel.Abort:
            asked.cancel()
            return trio.lowlevel.Abort.SUCCEEDED

        asked = self._net.resolve(name, answered)
        await trio.lowlevel.wait_task_rescheduled(abort)
        answer = came.pop()
        if isinstance(answer, OSError):
            try:
                raise answer
            finally:
                del answer  # the error's traceback holds this frame: it must not hold the error
        return answer
