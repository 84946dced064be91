"""Host names, addresses and ports of the simulated network, as the module socket takes and returns them.

`localhost` is 127.0.0.1; no host, or 0.0.0.0, means every address of the network.  A name for listening (AI_PASSIVE) is
added to the network; a look-up of any other unknown name fails.  There is IPv4 only.  `known` answers without a look-up
where it can; otherwise each bridge looks the name up in the network.
"""

from __future__ import annotations

import socket
from typing import Any, Final, TypeAlias

from ..net import SimulatedNet
from ..net.conn import name_not_found
from ..net.simulated.network import ANY, LOOPBACK

#: A socket address, a host or a port, as the module socket takes it.
Given: TypeAlias = Any

#: Services by name: the few that programs use.  The list of the operating system is not read.
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


def text(host: Given) -> str | None:
    return host.decode("ascii") if isinstance(host, bytes) else host


def place(net: SimulatedNet, host: Given) -> str:
    """The address of a listener on `host`; a new name is added.

    A numeric address is returned as it is; listening there raises EADDRNOTAVAIL if it is not of this network.
    """
    name = text(host)
    if not name or name in (ANY, "::"):
        return ANY
    if numeric(name):
        return name
    if not net.exists(name):
        return net.add_host(name)
    return net.address(name)


def known(net: SimulatedNet, host: Given, family: int, flags: int) -> tuple[str, ...] | None:
    """The addresses of a host if they are known without a look-up, else None.

    Raises:
        socket.gaierror: it cannot have any.
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


def entries(addresses: tuple[str, ...], host: Given, port: Given, type: int, proto: int, flags: int) -> list[Given]:
    """The result of getaddrinfo for a host with these addresses.

    Raises:
        socket.gaierror: the port is a name, but not of a known service.
    """
    number = _port(port)
    kinds = [(kind, protocol) for kind, protocol in _KINDS.items() if type in (0, kind) and proto in (0, protocol)]
    canon = text(host) or "" if flags & socket.AI_CANONNAME else ""
    return [
        (socket.AF_INET, kind, int(protocol), canon, (address, number))
        for address in addresses
        for kind, protocol in kinds
    ]


def name_info(net: SimulatedNet, sockaddr: Given, flags: int) -> tuple[str, str]:
    """The result of getnameinfo."""
    host, port = sockaddr[0], sockaddr[1]
    if not flags & socket.NI_NUMERICHOST:
        host = net.name_of(host) or host
    services = {number: name for name, number in _SERVICES.items()}
    return host, str(port) if flags & socket.NI_NUMERICSERV else services.get(port, str(port))


def _port(port: Given) -> int:
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
