"""Name resolution on the simulated network, and waiting for an answer of that network.

addresses.py says which hosts and ports need no look-up; every other name is looked up in the network, in virtual time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from ...net.conn import Asked
from .. import addresses
from .base import SimLoopBase

# Any in this file: socket addresses and hosts, as in the module socket.


class Places(SimLoopBase):
    """A mixin of SimEventLoop: name resolution.

    Needs: no method of another part.  Gives: `getaddrinfo`, `getnameinfo`.
    """

    async def getaddrinfo(
        self, host: Any, port: Any, *, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> list[Any]:
        found = addresses.known(self.net, host, family, flags)
        if found is None:
            name = addresses.text(host) or ""
            found = await ask(self, lambda done: self.net.resolve(name, done))
        return addresses.entries(found, host, port, type, proto, flags)

    async def getnameinfo(self, sockaddr: Any, flags: int = 0) -> tuple[str, str]:
        return addresses.whose(self.net, sockaddr, flags)


async def ask(loop: asyncio.AbstractEventLoop, question: Callable[[Callable[[Any], None]], Asked]) -> Any:
    """Put a question to the network and wait for the answer; a cancel withdraws the question.

    Raises:
        OSError: the answer is an error.
    """
    answered = loop.create_future()
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
            came[0].close()  # a connection that came between the cancel and its delivery
        raise
    answer = came.pop()
    if isinstance(answer, OSError):
        try:
            raise answer
        finally:
            del answer  # the error's traceback holds this frame: it must not hold the error
    return answer
