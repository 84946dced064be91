"""Name resolution on the simulated network.

addresses.py says which hosts and ports need no look-up; every other name is looked up in the network, in virtual time.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ...net.request import Request, ask
from .. import addresses
from .base import SimLoopBase

# Any in this file: socket addresses and hosts, as in the module socket.


class Places(SimLoopBase):
    """A mixin of SimEventLoop: name resolution.

    Needs: `create_future`.  Gives: `getaddrinfo`, `getnameinfo`.
    """

    async def getaddrinfo(
        self, host: Any, port: Any, *, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> list[Any]:
        found = addresses.known(self.net, host, family, flags)
        if found is None:
            look_up: Request[tuple[str, ...]] = partial(self.net.resolve, addresses.text(host) or "")
            found = await ask(self.create_future, look_up)
        return addresses.entries(found, host, port, type, proto, flags)

    async def getnameinfo(self, sockaddr: Any, flags: int = 0) -> tuple[str, str]:
        return addresses.whose(self.net, sockaddr, flags)
