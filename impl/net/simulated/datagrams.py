"""Datagrams of the simulated network.

A datagram takes one latency, drawn for it alone, so two of them arrive in any order.  A datagram for a port that is not
bound, or has a full buffer, is lost without an error (RFC 768; RFC 1122, 4.1.3.1).  A port that is bound to every
address sends from CALLER; to LOOPBACK it sends from LOOPBACK.
"""

from __future__ import annotations

import errno
from collections import deque
from typing import Final

from ..conn import READ, WRITE, Address, Watchable, host_port, os_error
from .connection import Link
from .faults import Fault

#: The size limit of a datagram: 65,535 bytes less the headers of IP and UDP.
SIZE_MAX: Final = 65507


class DatagramPort(Watchable):
    """A bound port: receives and sends datagrams; like a Listener, it never waits."""

    def __init__(self, link: Link, network: DatagramNetwork, address: Address) -> None:
        super().__init__()
        self._link = link
        self._network = network
        self.address: Final = address
        self._unread: deque[tuple[bytes, Address]] = deque()
        self._size = 0
        self._closed = False

    def send(self, data: bytes, to: Address) -> None:
        """Send a datagram to a numeric address; it arrives later, or is lost.

        Raises:
            OSError: EMSGSIZE, it is too long; EBADF, the port is closed.
        """
        self._check()
        if len(data) > SIZE_MAX:
            raise os_error(errno.EMSGSIZE, f"{len(data)} bytes")
        if self._link.conditions.scripted.get(to[0]) is not Fault.SILENT:
            source = (self._network.source(self.address[0], to[0]), self.address[1])
            self._link.later(self._network.deliver, data, source, to)

    def recv(self) -> tuple[bytes, Address] | None:
        """The next datagram and its source, or None.

        Raises:
            OSError: EBADF, the port is closed.
        """
        self._check()
        if not self._unread:
            return None
        data, source = self._unread.popleft()
        self._size -= len(data)
        return data, source

    def ready(self) -> int:
        """READ | WRITE if a datagram has arrived, else WRITE: there is always room."""
        return READ | WRITE if self._unread else WRITE

    def close(self) -> None:
        """Release the port; datagrams that were not read are lost.  A second call does nothing."""
        if not self._closed:
            self._closed = True
            self._unread.clear()
            self._watchers.clear()
            self._network.gone(self.address)

    def arrived(self, data: bytes, source: Address) -> None:
        if self._size + len(data) > self._link.conditions.buffer_bytes:
            return
        self._size += len(data)
        self._unread.append((data, source))
        self.notify(READ)

    def _check(self) -> None:
        if self._closed:
            raise os_error(errno.EBADF, "the port is closed")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {host_port(self.address)}>"


class DatagramNetwork:
    """The bound ports; `everywhere` is the address that means every address."""

    def __init__(self, link: Link, everywhere: str, loopback: str, caller: str) -> None:
        self._link = link
        self._everywhere = everywhere
        self._loopback = loopback
        self._caller = caller
        self._ports: dict[Address, DatagramPort] = {}

    def bind(self, address: Address) -> DatagramPort:
        """Bind to a numeric address.

        Raises:
            OSError: EADDRINUSE.
        """
        if address in self._ports:
            raise os_error(errno.EADDRINUSE, host_port(address))
        port = self._ports[address] = DatagramPort(self._link, self, address)
        return port

    def taken(self, address: Address) -> bool:
        return address in self._ports

    def source(self, bound: str, to: str) -> str:
        """The source address of a datagram to `to` from a port bound to `bound`."""
        if bound != self._everywhere:
            return bound
        return self._loopback if to == self._loopback else self._caller

    def deliver(self, data: bytes, source: Address, to: Address) -> None:
        port = self._ports.get(to) or self._ports.get((self._everywhere, to[1]))
        if port is not None:
            port.arrived(data, source)

    def gone(self, address: Address) -> None:
        del self._ports[address]
