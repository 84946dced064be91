"""Name resolution on the simulated network.

addresses.py says which hosts and ports need no look-up; every other name is looked up in the network, in virtual time.
"""

from __future__ import annotations

from functools import partial
from typing import Any, TypeAlias

from ...net.request import Request, ask
from .. import addresses
from ..simulated_loop import SimLoopBase

#: A host, a port or a socket address, as the module socket takes it.
Given: TypeAlias = Any


class NameResolution(SimLoopBase):
    """A mixin of SimEventLoop: name resolution.

    Needs: `create_future`.  Gives: `getaddrinfo`, `getnameinfo`.
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
