"""Places: the names, addresses and ports of asyncio's calls on the simulated network.

Theory of operation.  `localhost` is 127.0.0.1; no host, or 0.0.0.0, is every address of the network.  A name at which
somebody wants to listen (AI_PASSIVE) comes into being by that; any other one has to have been added
(`loop.net.add_host`), or a look-up fails.  There is IPv4 only.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any, Final

from ..net import SimulatedNet
from ..net.conn import name_not_found
from ..net.simulated import ANY, LOOPBACK
from .asyncio_fence import numeric
from .asyncio_turns import Turns

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ..net.conn import Asked

# Any in this file: socket addresses and hosts, as in the module socket.

#: Services by name: the few that programs use; the list of the operating system is not asked.
_SERVICES: Final = {"http": 80, "https": 443, "domain": 53, "smtp": 25, "ftp": 21}
_KINDS: Final = {
    socket.SOCK_STREAM: socket.IPPROTO_TCP,
    socket.SOCK_DGRAM: socket.IPPROTO_UDP,
}


class Places(Turns):
    """Look-ups."""

    net: SimulatedNet

    def place(self, host: Any) -> str:
        """The address at which one listens who names `host`; a new name is added.

        Raises:
            OSError: EADDRNOTAVAIL, later: an address that is nobody's is let pass here.
        """
        name = _text(host)
        if not name or name in (ANY, "::"):
            return ANY
        if numeric(name):
            return name
        if not self.net.exists(name):
            return self.net.add_host(name)
        return self.net.address(name)

    async def getaddrinfo(
        self, host: Any, port: Any, *, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> list[Any]:
        if family not in (socket.AF_UNSPEC, socket.AF_INET):
            raise name_not_found(f"{host}, as another address than IPv4")
        name = _text(host)
        if not name:
            found: tuple[str, ...] = (ANY if flags & socket.AI_PASSIVE else LOOPBACK,)
        elif numeric(name):
            found = (name,)
        elif flags & socket.AI_NUMERICHOST:
            raise name_not_found(name)
        elif flags & socket.AI_PASSIVE:
            found = (self.place(name),)
        else:
            found = await self.resolve(name)
        number = _port(port)
        kinds = [
            (kind, protocol)
            for kind, protocol in _KINDS.items()
            if type in (0, kind) and proto in (0, protocol)
        ]
        canon = name or "" if flags & socket.AI_CANONNAME else ""
        return [
            (socket.AF_INET, kind, int(protocol), canon, (address, number))
            for address in found
            for kind, protocol in kinds
        ]

    async def getnameinfo(self, sockaddr: Any, flags: int = 0) -> tuple[str, str]:
        host, port = sockaddr[0], sockaddr[1]
        if not flags & socket.NI_NUMERICHOST:
            host = self.net.name_of(host) or host
        services = {number: name for name, number in _SERVICES.items()}
        return host, str(port) if flags & socket.NI_NUMERICSERV else services.get(port, str(port))

    async def resolve(self, name: str) -> tuple[str, ...]:
        """The addresses of a name.

        Raises:
            socket.gaierror: it has none.
        """
        found: tuple[str, ...] = await self.ask(lambda done: self.net.resolve(name, done))
        return found

    def ask(self, question: Callable[[Callable[[Any], None]], Asked]) -> Awaitable[Any]:
        """Ask the network, and wait for the answer; an OSError is raised.  A cancel withdraws the question."""
        return self._ask(question)

    async def _ask(self, question: Callable[[Callable[[Any], None]], Asked]) -> Any:
        answered = self.create_future()
        came: list[Any] = []

        def done(answer: Any) -> None:
            came.append(answer)
            if not answered.done():
                answered.set_result(None)

        asked = question(done)
        try:
            await answered
        except asyncio.CancelledError:
            asked.cancel()
            if came and not isinstance(came[0], OSError | tuple):
                came[0].close()  # it came between the cancel and its delivery
            raise
        answer = came.pop()
        if isinstance(answer, OSError):
            try:
                raise answer
            finally:
                del answer  # the error's traceback holds this frame: it must not hold the error
        return answer


def _text(host: Any) -> str | None:
    return host.decode("ascii") if isinstance(host, bytes) else host


def _port(port: Any) -> int:
    if isinstance(port, bytes):
        port = port.decode("ascii")
    if isinstance(port, str):
        if port in _SERVICES:
            return _SERVICES[port]
        if port.isascii() and port.isdigit():
            return int(port)
        if port:
            raise socket.gaierror(socket.EAI_SERVICE, "Servname not supported for ai_socktype")
    return int(port or 0)
