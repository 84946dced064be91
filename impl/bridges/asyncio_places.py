"""Places: asyncio's look-ups on the simulated network.

Theory of operation.  What a host or a port may be called, and what needs no look-up: addresses.py.  The rest is asked
of the network, and takes its time.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ..net import SimulatedNet
from . import addresses
from .asyncio_turns import Turns

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ..net.conn import Asked

# Any in this file: socket addresses and hosts, as in the module socket.


class Places(Turns):
    """Look-ups."""

    net: SimulatedNet

    def place(self, host: Any) -> str:
        """The address at which one listens who names `host`; a new name is added."""
        return addresses.place(self.net, host)

    async def getaddrinfo(
        self, host: Any, port: Any, *, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> list[Any]:
        found = addresses.known(self.net, host, family, flags)
        if found is None:
            found = await self.resolve(addresses.text(host) or "")
        return addresses.entries(found, host, port, type, proto, flags)

    async def getnameinfo(self, sockaddr: Any, flags: int = 0) -> tuple[str, str]:
        return addresses.whose(self.net, sockaddr, flags)

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
