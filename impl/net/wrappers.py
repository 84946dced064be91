"""Wrappers of a network: `PublicNet`, on which names lead to public addresses only, and `ProxiedNet`.

1.  A page on the web may link to "http://127.0.0.1/" or "http://169.254.169.254/", or to a name that resolves to such
    an address, perhaps only the second time it is asked (DNS rebinding).  So PublicNet looks at the addresses after the
    look-up, and those that it passes on are the ones that a caller connects to: no second look-up lies between.
2.  On a ProxiedNet every name and every port lead to one proxy, which looks names up itself.

Source: RFC 6890 and IANA's registries of special-purpose addresses, as Python's `ipaddress` has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeVar

from .conn import Address, Conn, Listener, Net, PendingRequest

T = TypeVar("T")

#: IPv4 addresses are embedded in its last 32 bits (RFC 6052).
_NAT64: Final = IPv6Network("64:ff9b::/96")


class PrivateAddressError(OSError):
    """A name has no other addresses than private ones."""


class PublicNet:
    """`net`, with look-ups that give public addresses only, but for names in `trusted`; `Net` has the methods."""

    def __init__(self, net: Net, trusted: Iterable[str] = ()) -> None:
        self._net = net
        self._trusted = frozenset(trusted)

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
        return self._net.resolve(host, done if host in self._trusted else partial(_filter, host, done))

    def connect(self, address: Address, done: Callable[[Conn | OSError], None], /) -> PendingRequest:
        return self._net.connect(address, done)

    def listen(self, address: Address, backlog: int = 100, /) -> Listener:
        return self._net.listen(address, backlog)


def _filter(host: str, done: Callable[[tuple[str, ...] | OSError], None], found: tuple[str, ...] | OSError) -> None:
    if not isinstance(found, OSError):
        allowed = tuple(address for address in found if is_public(address))
        found = allowed or PrivateAddressError(f"{host} has private addresses only: {', '.join(found)}")
    done(found)


def is_public(text: str) -> bool:
    """Whether a numeric address is reachable from everywhere; an IPv4 address within an IPv6 one counts, too.

    Raises:
        ValueError: `text` is no numeric address.
    """
    address = ip_address(text)
    if isinstance(address, IPv6Address) and (inner := _embedded(address)) is not None:
        address = inner
    return address.is_global and not address.is_multicast


def _embedded(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]


def is_local(host: str) -> bool:
    """Whether `host`, the host of a canonical URL without brackets, itself says that it is not public.

    It is a private address, or a name for the loopback interface (RFC 6761, 6.3), also with a dot at its end.
    """
    host = host.removesuffix(".")
    try:
        return not is_public(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class ProxyDownError(OSError):
    """The proxy has no address, or no connection to it can be made."""


class ProxiedNet:
    """`net`, with the proxy at `host` and `port` in the place of all others; `Net` has the methods.

    The errors of resolve and connect are those of the proxy: each is a ProxyDownError.
    """

    def __init__(self, net: Net, host: str, port: int) -> None:
        self._net = net
        self._host = host
        self._port = port

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
        return self._net.resolve(self._host, partial(self._answer, done))

    def connect(self, address: Address, done: Callable[[Conn | OSError], None], /) -> PendingRequest:
        return self._net.connect((address[0], self._port), partial(self._answer, done))

    def listen(self, address: Address, backlog: int = 100, /) -> Listener:
        return self._net.listen(address, backlog)

    def _answer(self, done: Callable[[T | OSError], None], answer: T | OSError) -> None:
        if isinstance(answer, OSError):
            answer = ProxyDownError(answer.errno, f"the proxy {self._host}:{self._port}: {answer.strerror}")
        done(answer)
