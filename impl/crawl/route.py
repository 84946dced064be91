"""Routes through proxies: the network that opens a connection, and the host at its other end.

A proxy looks names up itself.  So their addresses cannot be looked at here, as those of `PublicNet` are: a proxy has
to guard its own network.  A URL that itself says that it is local is refused here, and the proxy is not asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..net import Net
from ..net.wrappers import PrivateAddressError, ProxiedNet
from ..web.proxy import Choose, Proxy
from ..web.url import Address


@dataclass(frozen=True, slots=True)
class Route:
    """The way through `proxy`: on `net` every name leads to it."""

    proxy: Proxy
    net: Net = field(compare=False)


#: Returns the route to an address; None: the way is direct.  It raises PrivateAddressError for an address to refuse.
Routes = Callable[[Address], Route | None]


def direct(address: Address) -> None:
    """No address has a route through a proxy."""


def routes(net: Net, choose: Choose, refuses: Callable[[str], bool]) -> Routes:
    """The routes to all addresses.

    Parameters:
        net: the network on which the proxies are; they may have private addresses.
        choose: names the proxy for an address.
        refuses: whether a host must not be asked for.
    """

    def route(address: Address) -> Route | None:
        proxy = choose(address)
        if proxy is None:
            return None
        if refuses(address.host):
            raise PrivateAddressError(f"{address.host} is private, and a proxy would go there")
        return Route(proxy, ProxiedNet(net, proxy.host, proxy.port))

    return route
