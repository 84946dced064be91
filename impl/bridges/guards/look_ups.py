"""The blocking look-ups of the module socket, answered from the names of the simulated network.

They take no virtual time and never fail by a fault of the network, because nothing can happen in the simulation while
the thread is blocked.  Libraries look their own host up in this way before they listen.  The host that runs the program
is called `localhost`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from ...net import SimulatedNet
from .. import addresses
from ..simulation import simulation

#: A host, a port or an address, and the answers, as the module socket has them.
Given: TypeAlias = Any
LookUp: TypeAlias = Callable[..., Given]

_LOCAL: Final = "localhost"
#: HOST_NOT_FOUND of <netdb.h>.
_HOST_NOT_FOUND: Final = 1


def _addresses_of(net: SimulatedNet, host: Given, family: int = 0, flags: int = 0) -> tuple[str, ...]:
    found = addresses.known(net, host, family, flags)
    return net.addresses(addresses.text(host) or "") if found is None else found


def _getaddrinfo(
    net: SimulatedNet,
    host: Given,
    port: Given,
    family: int = 0,
    type: int = 0,
    proto: int = 0,
    flags: int = 0,
) -> Given:
    found = _addresses_of(net, host, family, flags)
    return addresses.entries(found, host, port, type, proto, flags)


def _gethostbyname(net: SimulatedNet, hostname: Given) -> str:
    return _addresses_of(net, hostname)[0]


def _gethostbyname_ex(net: SimulatedNet, hostname: Given) -> tuple[str, list[str], list[str]]:
    return addresses.text(hostname) or _LOCAL, [], list(_addresses_of(net, hostname))


def _gethostbyaddr(net: SimulatedNet, ip_address: Given) -> tuple[str, list[str], list[str]]:
    found = _addresses_of(net, ip_address)
    name = net.name_of(found[0])
    if name is None:
        raise socket.herror(_HOST_NOT_FOUND, "Unknown host")
    return name, [], list(found)


def _getnameinfo(net: SimulatedNet, sockaddr: Given, flags: int) -> tuple[str, str]:
    return addresses.name_info(net, sockaddr, flags)


def _gethostname(net: SimulatedNet) -> str:
    return _LOCAL


def _replaced(name: str, simulated: LookUp) -> LookUp:
    real: LookUp = getattr(socket, name)

    def look_up(*args: Given, **kwargs: Given) -> Given:
        here = simulation()
        return real(*args, **kwargs) if here is None else simulated(here.net, *args, **kwargs)

    look_up.__name__ = look_up.__qualname__ = name
    return look_up


def replacements() -> dict[str, LookUp]:
    """The functions of `socket` to replace, by name; `getfqdn` calls two of them."""
    simulated = (
        *(_getaddrinfo, _gethostbyname, _gethostbyname_ex, _gethostbyaddr),
        *(_getnameinfo, _gethostname),
    )
    names = {each.__name__.removeprefix("_"): each for each in simulated}
    return {name: _replaced(name, each) for name, each in names.items()}
