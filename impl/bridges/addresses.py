"""Addresses: what a program may call a place on the simulated network, in the words of the module socket.

Theory of operation.  `localhost` is 127.0.0.1; no host, or 0.0.0.0, is every address of the network.  A name at which
somebody wants to listen (AI_PASSIVE) comes into being by that; any other one has to have been added, or a look-up
fails.  There is IPv4 only.  What needs no look-up is answered by `known`; the rest, each bridge asks the network.
"""

from __future__ import annotations

import socket
from typing import Any, Final

from ..net import SimulatedNet
from ..net.conn import name_not_found
from ..net.simulated.network import ANY, LOOPBACK

# Any in this file: socket addresses, hosts and ports, as in the module socket.

#: Services by name: the few that programs use; the list of the operating system is not asked.
_SERVICES: Final = {"http": 80, "https": 443, "domain": 53, "smtp": 25, "ftp": 21}
_KINDS: Final = {
    socket.SOCK_STREAM: socket.IPPROTO_TCP,
    socket.SOCK_DGRAM: socket.IPPROTO_UDP,
}


def numeric(host: object) -> bool:
    """Whether `host` is an IPv4 or IPv6 address."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if not isinstance(name, str):
        return False
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, name.partition("%")[0])
            return True
        except (OSError, ValueError):
            pass
    return False


def text(host: Any) -> str | None:
    return host.decode("ascii") if isinstance(host, bytes) else host


def place(net: SimulatedNet, host: Any) -> str:
    """The address at which one listens who names `host`; a new name is added.

    Raises:
        OSError: EADDRNOTAVAIL, later: an address that is nobody's is let pass here.
    """
    name = text(host)
    if not name or name in (ANY, "::"):
        return ANY
    if numeric(name):
        return name
    if not net.exists(name):
        return net.add_host(name)
    return net.address(name)


def known(net: SimulatedNet, host: Any, family: int, flags: int) -> tuple[str, ...] | None:
    """The addresses of a host, where they are known without a look-up; else None.

    Raises:
        socket.gaierror: it can have none.
    """
    if family not in (socket.AF_UNSPEC, socket.AF_INET):
        raise name_not_found(f"{host}, as another address than IPv4")
    name = text(host)
    if not name:
        return (ANY if flags & socket.AI_PASSIVE else LOOPBACK,)
    if numeric(name):
        return (name,)
    if flags & socket.AI_NUMERICHOST:
        raise name_not_found(name)
    return (place(net, name),) if flags & socket.AI_PASSIVE else None


def entries(addresses: tuple[str, ...], host: Any, port: Any, type: int, proto: int, flags: int) -> list[Any]:
    """What getaddrinfo returns for a host of these addresses.

    Raises:
        socket.gaierror: the port is the name of no service.
    """
    number = _port(port)
    kinds = [
        (kind, protocol) for kind, protocol in _KINDS.items() if type in (0, kind) and proto in (0, protocol)
    ]
    canon = text(host) or "" if flags & socket.AI_CANONNAME else ""
    return [
        (socket.AF_INET, kind, int(protocol), canon, (address, number))
        for address in addresses
        for kind, protocol in kinds
    ]


def whose(net: SimulatedNet, sockaddr: Any, flags: int) -> tuple[str, str]:
    """What getnameinfo returns."""
    host, port = sockaddr[0], sockaddr[1]
    if not flags & socket.NI_NUMERICHOST:
        host = net.name_of(host) or host
    services = {number: name for name, number in _SERVICES.items()}
    return host, str(port) if flags & socket.NI_NUMERICSERV else services.get(port, str(port))


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
