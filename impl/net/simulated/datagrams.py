"""Datagrams of the simulated network: each travels by itself, and may be overtaken.

Theory of operation.  A `Post` is what stands at a bound port.  A datagram takes one latency, drawn for it alone, so two
of them arrive in any order; one for a place where nobody is, or where more bytes are unread than the weather's buffer
holds, is lost, and nobody is told (RFC 768; RFC 1122, 4.1.3.1).  Who is bound to every address sends from CALLER, or,
to LOOPBACK, from there.
"""

from __future__ import annotations

import errno
from collections import deque
from typing import Final

from ..conn import READ, WRITE, Address, Watchable, host_port, os_error
from .conditions import Fault
from .connection import Medium

#: What a datagram holds at most: 65,535 bytes less the headers of IP and UDP.
SIZE_MAX: Final = 65507


class Post(Watchable):
    """A port at which datagrams arrive, and from which they are sent; like a Listener, it knows no future."""

    def __init__(self, medium: Medium, places: Places, address: Address) -> None:
        super().__init__()
        self._medium = medium
        self._places = places
        self._address = address
        self._unread: deque[tuple[bytes, Address]] = deque()
        self._size = 0
        self._closed = False

    @property
    def address(self) -> Address:
        return self._address

    def send(self, data: bytes, to: Address) -> None:
        """Send a datagram to a numeric address; it arrives later, or never.

        Raises:
            OSError: EMSGSIZE, it is too long; EBADF, the port is closed.
        """
        self._check()
        if len(data) > SIZE_MAX:
            raise os_error(errno.EMSGSIZE, f"{len(data)} bytes")
        if self._medium.weather.scripted.get(to[0]) is not Fault.SILENT:
            source = (self._places.source(self._address[0], to[0]), self._address[1])
            self._medium.later(self._places.deliver, data, source, to)

    def recv(self) -> tuple[bytes, Address] | None:
        """The datagram that arrived first, and whence; None: there is none.

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
        """READ | WRITE if a datagram is there, else WRITE: there is always room."""
        return READ | WRITE if self._unread else WRITE

    def close(self) -> None:
        """Give the port back; what was not read is lost.  A second call does nothing."""
        if not self._closed:
            self._closed = True
            self._unread.clear()
            self._watchers.clear()
            self._places.gone(self._address)

    def arrived(self, data: bytes, source: Address) -> None:
        if self._size + len(data) > self._medium.weather.buffer_bytes:
            return
        self._size += len(data)
        self._unread.append((data, source))
        self.notify(READ)

    def _check(self) -> None:
        if self._closed:
            raise os_error(errno.EBADF, "the port is closed")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {host_port(self._address)}>"


class Places:
    """The ports at which somebody is; `everywhere` is the address that means all of them."""

    def __init__(self, medium: Medium, everywhere: str, loopback: str, caller: str) -> None:
        self._medium = medium
        self._everywhere = everywhere
        self._loopback = loopback
        self._caller = caller
        self._posts: dict[Address, Post] = {}

    def bind(self, address: Address) -> Post:
        """Be at a numeric address.

        Raises:
            OSError: EADDRINUSE.
        """
        if address in self._posts:
            raise os_error(errno.EADDRINUSE, host_port(address))
        post = self._posts[address] = Post(self._medium, self, address)
        return post

    def taken(self, address: Address) -> bool:
        return address in self._posts

    def source(self, bound: str, to: str) -> str:
        """The address from which one sends who is bound to that one."""
        if bound != self._everywhere:
            return bound
        return self._loopback if to == self._loopback else self._caller

    def deliver(self, data: bytes, source: Address, to: Address) -> None:
        post = self._posts.get(to) or self._posts.get((self._everywhere, to[1]))
        if post is not None:
            post.arrived(data, source)

    def gone(self, address: Address) -> None:
        del self._posts[address]
